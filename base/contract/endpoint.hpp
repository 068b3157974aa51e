// A model that a server has: what is asked of it (the spec of the stage `ask`), and where it is asked, which
// is in no key (docs/interfaces.md, 3).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/form.hpp"
#include "base/contract/stages.hpp"

namespace trl::contract {

/// A parameter of OpenAI's API for chats. Servers differ in those that they know.
enum class Parameter { temperature, top_p, top_k, max_tokens, max_completion_tokens, stop, seed };
template <>
struct Words<Parameter> {
  static constexpr std::array<std::pair<Parameter, const char*>, 7> list = {
      {{Parameter::temperature, "temperature"},
       {Parameter::top_p, "top_p"},
       {Parameter::top_k, "top_k"},
       {Parameter::max_tokens, "max_tokens"},
       {Parameter::max_completion_tokens, "max_completion_tokens"},
       {Parameter::stop, "stop"},
       {Parameter::seed, "seed"}}};
};

/// What tells a server's model from others, and how it is spoken to: this enters keys.
struct AskedModel {
  std::string name;                   ///< as the server calls it
  std::string revision;               ///< what the user tells it by from others of the name; empty: nothing
  std::optional<std::string> system;  ///< a message before the prompt
  std::vector<Parameter> parameters;  ///< those that are sent
  bool sends(Parameter parameter) const;
  static AskedModel read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A stage `ask`: as `sample`, but that a server answers.
struct AskSpec {
  static constexpr const char* kind = "ask";
  AskedModel model;
  std::int64_t samples = 0;  ///< of each task
  Sampling sampling;
  std::string purpose;  ///< exam, dev
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};    ///< the template of prompts (base/support/asking.hpp)
  int turn = 1;               ///< of episodes; later ones go on from the last one's candidates and verdicts
  std::string feedback = {};  ///< of later turns: the prompt's template
  static AskSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A stage `generations`: answers that were given elsewhere, of a folder in the layout of KernelBench's runs.
struct GenerationsSpec {
  static constexpr const char* kind = "generations";
  std::int64_t samples = 0;  ///< of each task
  static GenerationsSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A stage `imported`: results of a run of KernelBench that were made elsewhere, as verdicts.
struct ImportedSpec {
  static constexpr const char* kind = "imported";
  std::optional<std::int64_t> level;  ///< that the results are of; none: a folder for each level
  static ImportedSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Whether the stages of a kind leave answers in candidates.jsonl.
bool gives_candidates(const std::string& kind);

/// Where a server is, and how it may be used. Beside a request, as a store's secret is: in no key, and not in
/// the store.
struct Endpoint {
  std::string address;           ///< "http://localhost:8000/v1"
  std::string key_env;           ///< the environment variable that holds the key; empty: there is none
  std::string place;             ///< where the file says so, for messages: "study.trl:3:20"
  std::int64_t concurrency = 8;  ///< requests at the same time
  std::optional<double> requests_per_minute;  ///< none: as many as there are answers
  std::optional<double> tokens_per_minute;    ///< of prompts and answers
  double timeout = 600;                       ///< seconds for one request
  std::int64_t attempts = 8;                  ///< for one answer
  static Endpoint read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// What a server is paid, as the file declares it: usd for a million tokens. A server doesn't say.
struct Price {
  double in = 0, out = 0;  ///< of prompts, of answers
};

/// What answers cost by the summary of the stage that asked for them, in usd: its `prompt_tokens` and
/// `tokens`.
double price_of(const Price& price, const nlohmann::json& summary);

/// `weights = endpoint(…)` of the document.
struct DeclaredEndpoint {
  AskedModel model;
  Endpoint endpoint;
  std::optional<Price> price;
};

/// The endpoint that a model's weights are; nothing where they are something else. `place` is where the file
/// says so. Throws ContractError.
std::optional<DeclaredEndpoint> declared_endpoint(const nlohmann::json& weights, const std::string& place);

/// The file of a stage's checkpoints that has the answers so far.
constexpr const char* journal_file = "answers.jsonl";

/// A row of answers.jsonl, which the stage `ask` leaves beside candidates.jsonl: what was asked, and what the
/// server said besides the answer.
struct Asked {
  std::string asked;    ///< the digest of the request's body
  nlohmann::json body;  ///< the request, as it was sent
  std::string answer;
  std::string finish;                         ///< the server's own word
  std::optional<std::int64_t> prompt_tokens;  ///< as the server counts; none: it doesn't say
  std::optional<std::int64_t> answer_tokens;
  std::string model, id, fingerprint;  ///< that the server names; empty: it names none
  std::int64_t attempts = 1;           ///< requests that it took
  double seconds = 0;                  ///< of the last of them
  static Asked read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
