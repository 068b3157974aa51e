// The specs of stages (docs/interfaces.md, 3), a type for each kind; that of `verify` is in protocol.hpp. A
// stage's key is a digest of its spec: what a writer leaves out today stays left out.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/formula.hpp"
#include "base/contract/module_pattern.hpp"
#include "base/contract/objective.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/task.hpp"

namespace trl::contract {

/// Whether stages of this kind go on after an interruption: those that train from a checkpoint, and those
/// that ask a server from the answers that they have.
bool keeps_checkpoints(const std::string& kind);

/// Which of a task's candidates are kept.
enum class KeepBy { reward, random };
template <>
struct Words<KeepBy> {
  static constexpr std::array<std::pair<KeepBy, const char*>, 2> list = {
      {{KeepBy::reward, "reward"}, {KeepBy::random, "random"}}};
};

/// Whether identical answers to a task are kept once or as often as they were sampled.
enum class Duplicates { drop, keep };
template <>
struct Words<Duplicates> {
  static constexpr std::array<std::pair<Duplicates, const char*>, 2> list = {
      {{Duplicates::drop, "drop"}, {Duplicates::keep, "keep"}}};
};

/// Whether answers are sampled from a model into which the adapter is merged, or with the adapter beside it.
enum class Sampled { merged, unmerged };
template <>
struct Words<Sampled> {
  static constexpr std::array<std::pair<Sampled, const char*>, 2> list = {
      {{Sampled::merged, "merged"}, {Sampled::unmerged, "unmerged"}}};
};

/// What weight an answer's loss gets. `none`: 1, for those that are kept. `pairs`: 1 for a right and -1 for a
/// wrong answer of each pair. The others are for all of a task's candidates: the reward; exp((reward - 1) /
/// temperature); the reward less the mean reward of the task's candidates, or of its other ones; or that
/// difference from the mean, divided by the rewards' standard deviation (of a sample, plus 1e-4).
enum class Weigh { none, reward, exponential, mean, leave_one_out, standardised, pairs };
template <>
struct Words<Weigh> {
  static constexpr std::array<std::pair<Weigh, const char*>, 7> list = {
      {{Weigh::none, "none"},
       {Weigh::reward, "reward"},
       {Weigh::exponential, "exponential"},
       {Weigh::mean, "mean"},
       {Weigh::leave_one_out, "leave_one_out"},
       {Weigh::standardised, "standardised"},
       {Weigh::pairs, "pairs"}}};
};

/// How much is kept at random: `keep` of each task, or in all as many answers, or answers of as many tokens,
/// as the reward would have kept of the same candidates.
enum class Match { none, samples, tokens };
template <>
struct Words<Match> {
  static constexpr std::array<std::pair<Match, const char*>, 3> list = {
      {{Match::none, "none"}, {Match::samples, "samples"}, {Match::tokens, "tokens"}}};
};

/// Whether AdamW's moments begin anew with each training or go on from the adapter's last one.
enum class OptimiserState { fresh, carried };
template <>
struct Words<OptimiserState> {
  static constexpr std::array<std::pair<OptimiserState, const char*>, 2> list = {
      {{OptimiserState::fresh, "fresh"}, {OptimiserState::carried, "carried"}}};
};

/// How AdamW is led.
struct Optimisation {
  double learning_rate = 0;           ///< at its highest
  double warmup = 0;                  ///< share of the steps over which it rises
  std::string schedule = "constant";  ///< how it falls after that: constant, linear, cosine
  double weight_decay = 0;
  double clip = 0;  ///< largest norm of the gradient; 0: any
  static Optimisation read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// How an adapter learns from samples: what every declaration that fine-tunes says.
struct Passes {
  std::int64_t epochs = 1, batch = 1;
  Optimisation optimisation;
  static Passes read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A low-rank adapter (LoRA).
struct Adapter {
  std::int64_t rank = 0;
  double alpha = 0, dropout = 0;
  nlohmann::json targets = "all_linear";  ///< a matrix's name, or a list of them
  Sampled sampled = Sampled::merged;      ///< a stage that trains doesn't know it
  bool use_rslora = false;                ///< the scale is alpha / √rank, not alpha / rank
  bool use_dora = false;                  ///< rows have trained magnitudes
  std::vector<ModulePattern> patterns;    ///< ranks and alphas of some modules
  static Adapter read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The shape of a model that is trained from nothing.
struct Architecture {
  std::int64_t hidden = 0, layers = 0, heads = 0, kv_heads = 0, intermediate = 0, context = 0;
  double rope_theta = 1e4;
  static Architecture read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Answers written to tasks of suites.
struct SuitesCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "suites";
  std::vector<Task> tasks;
  std::map<std::string, std::int64_t> samples;  ///< by group
  double flawed = 0;                            ///< share that is wrong on purpose
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static SuitesCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Answers written to chains of operators that are drawn.
struct ChainsCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "chains";
  std::int64_t samples = 0;
  std::optional<int> longest;             ///< operators
  std::vector<std::string> exclude_keys;  ///< of tasks
  bool exclude_spellings = false;         ///< and every other spelling of those tasks
  std::optional<std::vector<std::pair<std::string, std::string>>>
      unseen_pairs;  ///< operators that never follow each other
  double flawed = 0;
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static ChainsCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A task of which no pair may hold an answer, and by what pairs are compared with it.
struct ExcludedTask {
  std::string name;
  std::vector<std::string> operators;  ///< those that it applies, in their order; empty: not compared
  std::string sketch;  ///< of its text (verifier/kernelbench/describe.py); empty: not compared
  static ExcludedTask read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Pairs of module and answer from the rows of a data set, by verifier/kernelbench/make_pairs.py.
struct PairsSpec {
  static constexpr const char* kind = "pairs";
  std::optional<std::vector<std::string>> licenses;  ///< those that are allowed; none: any
  double near = 0.8;                                 ///< similarity from which two modules are one
  std::string malformed = "skip";                    ///< or "refuse"
  std::optional<std::uint64_t> seed;                 ///< of their order; none: the rows'
  std::vector<ExcludedTask> excluded;
  static PairsSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The first of those pairs that are short enough.
struct PairsCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "pairs";
  std::map<std::string, std::int64_t> samples;  ///< "level1", "level2", and of the rest "any"
  std::optional<std::int64_t> longest;          ///< tokens of prompt and answer; none: the model's context
  std::string prompt = {};                      ///< the template of prompts (base/support/asking.hpp)
  static PairsCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct TokenizerSpec {
  static constexpr const char* kind = "tokenizer";
  int vocabulary = 0;
  static TokenizerSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct PretrainSpec {
  static constexpr const char* kind = "pretrain";
  Architecture architecture;
  std::int64_t steps = 0, batch = 0, sequence = 0;
  Optimisation optimisation = {0, 0, "cosine", 0.1, 1};
  std::string precision = "bf16";  ///< that weights and activations are computed in
  std::uint64_t seed = 0;
  static PretrainSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct FinetuneSpec {
  static constexpr const char* kind = "finetune";
  Adapter adapter;
  Passes passes;
  std::string precision = "bf16";
  std::string quantize = "none";  ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  std::uint64_t seed = 0;
  int round = 0;
  OptimiserState optimiser_state = OptimiserState::fresh;
  std::optional<Objective> objective = {};  ///< none: the likelihood of each sample, times its weight
  static FinetuneSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// How answers are drawn: what every declaration and request that samples says.
struct Sampling {
  double temperature = 0;
  std::int64_t top_k = 0;         ///< only so many of the most likely tokens are drawn; 0: all
  double top_p = 1;               ///< only the most likely that together have so much probability
  std::vector<std::string> stop;  ///< texts that end an answer
  std::int64_t max_tokens = 0;
  static Sampling read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Episodes: after an answer that fails comes another turn, whose prompt says why.
struct Episodes {
  int turns = 1;         ///< answers of one episode at most
  std::string feedback;  ///< the prompt of later turns: a template (base/support/feedback.hpp)
  static Episodes read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct SampleSpec {
  static constexpr const char* kind = "sample";
  std::int64_t samples = 0;  ///< of each task
  Sampling sampling;
  std::string purpose;  ///< train, measure, exam
  int round = 0;
  std::uint64_t seed = 0;
  std::string precision = "bf16";
  std::string quantize = "none";  ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  Sampled adapter = Sampled::merged;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};    ///< the template of prompts (base/support/asking.hpp)
  bool scores = false;        ///< whether each answer's tokens are kept with their log-probabilities
  int turn = 1;               ///< of episodes; later ones go on from the last one's candidates and verdicts
  std::string feedback = {};  ///< of later turns: the prompt's template
  static SampleSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A request of `trl generate`: it is no stage of a plan, and nothing of it is stored.
struct GenerateSpec {
  static constexpr const char* kind = "generate";
  std::vector<std::string> prompts;
  std::int64_t samples = 1;  ///< of each prompt
  Sampling sampling;
  int round = 0;  ///< of a conversation: an equal prompt gets other draws
  std::uint64_t seed = 0;
  std::string precision = "bf16";
  std::string quantize = "none";  ///< how the frozen matrices are stored (base/support/matrix_storage.hpp)
  bool raw = false;               ///< the prompt as it is, without the form in which the model is asked
  static GenerateSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct TasksSpec {
  static constexpr const char* kind = "tasks";
  std::vector<Task> tasks;
  static TasksSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Which tasks a round works on.
struct DrawSpec {
  static constexpr const char* kind = "draw";
  using Share = std::vector<std::pair<std::string, GroupShare>>;
  std::uint64_t seed = 0;
  int round = 0;
  int count = 0;                                 ///< of all tasks; with `each`, of each group
  std::vector<Task> pool;                        ///< drawn from
  std::optional<Share> share;                    ///< of each group; none: as in the pool
  std::optional<std::vector<std::string>> each;  ///< groups to be measured
  static DrawSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The input of a select stage that has something of a turn: "candidates", "candidates_2", …
std::string input_of_turn(const std::string& what, int turn);

/// What candidates are worth, and which are trained on.
struct SelectSpec {
  static constexpr const char* kind = "select";
  std::uint64_t seed = 0;
  int round = 0;
  std::size_t keep = 0;  ///< of each task; with Weigh::pairs, pairs
  KeepBy keep_by = KeepBy::reward;
  Duplicates duplicates = Duplicates::keep;
  Match match = Match::none;  ///< of what is kept at random
  Weigh weigh = Weigh::none;
  std::optional<double> temperature;  ///< of Weigh::exponential
  double min_reward = 0;              ///< exceeded by what is kept
  Formula reward;
  std::optional<Formula> plan_reward;  ///< another one, of plan tokens; with mean and standardised
  std::optional<std::map<std::string, double>> failing;  ///< credit by the stage that was failed
  std::optional<double> timing_noise;                    ///< coefficient of variation of a time that is read
  int turns = 1;  ///< of episodes: inputs candidates, verdicts, candidates_2, verdicts_2, …
  /// By what a reward is multiplied for each turn between it and the answer that is weighed by it.
  double discount = 1;
  static SelectSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
