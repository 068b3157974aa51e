// A request to a model's server, and the server's answer.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/contract/no_text.hpp"
#include "base/contract/rows.hpp"

namespace trl::contract {

/// The file in the checkpoint folder of a stage `ask` or `rollout` to which the stage adds each answer as it
/// arrives.
constexpr const char* journal_file = "answers.jsonl";

/// A row of answers.jsonl, which the stages `ask` and `rollout` leave beside candidates.jsonl: a request, and
/// the server's whole answer.
struct Asked {
  std::string asked;               ///< the SHA-256 digest of the request's body
  nlohmann::json body;             ///< the request's body
  std::string answer;              ///< the text; blank if there is none
  std::optional<NoText> no_text;   ///< the reason, if there is no text
  std::string reasoning, refusal;  ///< the model's reasoning and its refusal, where a reply has them apart
  nlohmann::json tool_calls;       ///< the reply's tool calls; null if it has none
  std::string trouble;             ///< the text that came instead of a readable reply
  std::string finish;              ///< why the answer ended, in the server's own word: "stop"
  std::optional<std::int64_t> prompt_tokens;  ///< counted by the server; none: the server gives no count
  std::optional<std::int64_t> answer_tokens;
  /// The tokens that the model sampled and their log-probabilities. Only answers of the stage `rollout` have
  /// them; none if the server returns no tokens. `Drawn::scores` is empty if the server returns no
  /// log-probabilities.
  std::optional<Drawn> drawn;
  std::string model, id, fingerprint;  ///< as the server's answer states them; empty: not stated
  std::int64_t attempts = 1;           ///< number of requests until the answer arrived
  double seconds = 0;                  ///< the duration of the last request
  static Asked read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
