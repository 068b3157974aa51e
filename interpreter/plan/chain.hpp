// The chain of stages of one row under one seed: model → training phases → exam.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/document.hpp"
#include "base/contract/task.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::contract {
struct Episodes;
struct FinetuneSpec;
struct Passes;
struct Protocol;
struct SampleSpec;
}  // namespace trl::contract

namespace trl::interpreter {

/// The data from which a chain is built.
struct ChainRequest {
  std::string label;
  std::uint64_t seed = 0;
  contract::Experiment experiment;         ///< the experiment with this cell's values
  std::vector<nlohmann::json> phases;      ///< the `train` declarations, in their order
  std::vector<nlohmann::json> extensions;  ///< the declarations of the extensions that are on
};

/// A chain of stages under construction.
struct Chain {
  const ChainRequest& request;
  Trace trace;
  /// The keys of the current model and adapter; empty if no stage has made them yet.
  std::string model = {}, adapter = {};
  /// The seed of the phase's random draws: the request's seed, or a seed with which an extension replaces
  /// it.
  std::uint64_t seed = 0;
  int round = 0;
};

/// Adds chains to a plan. A stage that an earlier chain already has is shared.
class ChainBuilder {
 public:
  using Inputs = std::map<std::string, std::string>;

  ChainBuilder(const nlohmann::json& document, const PlanOptions& options, Plan& plan);
  Trace build(const ChainRequest& request);
  /// Builds the chain of an imported row. Its results for the exam's tasks were computed elsewhere; `call` is
  /// the call of `imported` that names them.
  Trace imported(const contract::Call& call, std::uint64_t seed, const contract::TaskSet& split);
  /// Records in the plan what is missing to run it on this machine, and the remedy. Repeated records are
  /// dropped.
  void missing(const std::string& what, const std::string& help);

  // Functions by which trainers (trainer.hpp) build their part of a chain:

  const PlanOptions& options() const { return options_; }
  /// Adds a stage and returns its key. If `training` is true, the stage's seconds count in the row's training
  /// cost.
  std::string add(Chain& chain, Stage stage, bool training);
  /// Like `add` above, for a stage with this spec.
  template <class Spec>
  std::string add(Chain& chain, const Spec& spec, Inputs inputs, std::string slot, bool training,
                  const nlohmann::json& variant_version = nullptr) {
    return add(chain,
               make_stage(Spec::kind, spec.write(), std::move(inputs), std::move(slot), variant_version),
               training);
  }
  /// Adds a stage with a large spec that many chains share. `question` must contain everything that the stage
  /// depends on. `make` is called only for the first chain with this question; later chains share the stage.
  /// Returns the stage's key.
  std::string add_once(Chain& chain, const nlohmann::json& question, const std::string& slot, bool training,
                       const std::function<Stage()>& make);
  /// Adds the stages that sample and verify each turn of episodes, at least one turn. Returns the keys of
  /// their results, a pair for each turn. `tasks` is the key of the tasks, `where` is the prefix of the
  /// stages' slots (Stage::slot), and `spec` is the spec of the first turn. `rollout` is the server that
  /// samples with the chain's adapter, if there is one.
  std::vector<Turn> add_turns(Chain& chain, contract::SampleSpec spec, const contract::Episodes& episodes,
                              const contract::Protocol& protocol, const std::string& tasks,
                              const std::string& where, bool training,
                              const nlohmann::json& verify_version = nullptr,
                              const std::optional<contract::DeclaredEndpoint>& rollout = {});
  /// Adds a stage `ask`, which requests the answers of `spec` from a model on a server, and returns its key.
  /// The server is recorded in `Plan::endpoints`.
  std::string add_asking(Chain& chain, const contract::DeclaredEndpoint& declared,
                         const contract::SampleSpec& spec, Inputs inputs, const std::string& slot);
  /// Adds a stage `rollout`, which samples the answers of `spec` from the chain's model on a server, with the
  /// chain's adapter, and returns its key. The server is recorded in `Plan::endpoints`.
  std::string add_rollout(Chain& chain, const contract::DeclaredEndpoint& declared,
                          const contract::SampleSpec& spec, Inputs inputs, const std::string& slot);
  /// Adds a stage `generations`, which reads answers that were generated elsewhere, and returns its key.
  std::string add_generations(Chain& chain, const contract::SampleSpec& spec, const std::string& tasks,
                              const std::string& slot);
  /// Whether the experiment's model is given by stored answers instead of weights, and no stage of the chain
  /// has trained another model.
  static bool has_generations(const Chain& chain);
  /// The server that runs the experiment's model. Nothing if there is no server, or a stage of the chain has
  /// trained a model or an adapter.
  static std::optional<contract::DeclaredEndpoint> endpoint_of(const Chain& chain);
  /// The stage inputs `model` and, if the chain has one, `adapter`. If the chain has no model yet, the
  /// experiment's model becomes its model.
  Inputs with_model(Chain& chain);
  /// Adds the stage that makes the corpus of a `data` call, and returns its key.
  std::string corpus(Chain& chain, const contract::Call& data);
  /// The tasks of a task set, without their documentation.
  std::vector<contract::Task> tasks_of(const contract::TaskSet& set) const;
  /// Like `tasks_of`, for tasks whose answers are verified. Tasks whose answers can't be verified are
  /// recorded as missing.
  std::vector<contract::Task> judged_tasks_of(const contract::TaskSet& set);
  /// Returns the tasks of `judged_tasks_of` in the form of specs. The JSON is computed only once for each
  /// set.
  const nlohmann::json& written_tasks_of(const contract::TaskSet& set);
  /// The spec of a stage that trains an adapter. Throws UserError if the experiment declares no adapter.
  static contract::FinetuneSpec finetune_spec(const Chain& chain, const std::string& phase,
                                              const contract::Passes& passes, int round);
  /// The spec of a stage that samples answers for training, without the tasks.
  static contract::SampleSpec sample_spec(const Chain& chain, const char* purpose, int round);
  /// The protocol of the experiment's exam. It is also used to verify answers that training kept.
  contract::Protocol exam_of(const Chain& chain) const;
  /// Adds the evaluation of the chain's current model on the experiment's development tasks (`dev`). Does
  /// nothing if the experiment has no `dev`.
  void add_dev(Chain& chain, const std::string& where);

 private:
  void exam(Chain& chain);
  /// Adds the stages of an evaluation: tasks, answers and verdicts. Returns the keys of each turn.
  std::vector<Turn> evaluate(Chain& chain, const contract::Evaluation& evaluation, const char* purpose,
                             const std::string& where);
  /// Adds the stages for the corpus of kernelbook(…): a stage that makes pairs, and a stage that selects
  /// pairs from it. Returns the key of the second stage.
  std::string pairs(Chain& chain, const contract::Call& data);
  /// Adds the files of a data set's rows to the plan and returns their key. A missing file is recorded as
  /// missing, with `remedy`.
  std::string entering_rows(const nlohmann::json& call, const std::string& remedy);
  const std::string& entering_model(const contract::Model& model);

  const nlohmann::json& document_;
  const PlanOptions& options_;
  Plan& plan_;
  std::map<std::string, std::size_t> known_;
  std::map<std::string, std::string> entering_models_;  ///< keys of models, by their `weights`
  std::map<std::string, nlohmann::json> corpora_;       ///< specs of corpora that differ in their seeds alone
  std::map<std::vector<std::string>, nlohmann::json> written_tasks_;
  std::map<std::string, std::string> asked_once_;  ///< keys of stages, by the questions of `add_once`
};

/// The kernel language as it is written in a stage's spec. Nothing for Triton, so that stages have the same
/// keys as before other languages were supported.
std::optional<contract::KernelLanguage> said_language(const contract::Experiment& experiment);

}  // namespace trl::interpreter
