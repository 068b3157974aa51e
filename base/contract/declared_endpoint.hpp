// A server and its model as the resolved program declares them: `weights = endpoint(…)`, `rollout =
// endpoint(…)`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/contract/asked_model.hpp"
#include "base/contract/endpoint.hpp"
#include "base/contract/rollout_model.hpp"

namespace trl::contract {

/// A server's price in usd for a million tokens, as the program's file declares it; servers don't report
/// prices.
struct Price {
  double in = 0, out = 0;  ///< for tokens of prompts, for tokens of answers
};

/// Returns the price in usd of a stage's answers, from `prompt_tokens` and `tokens` of the stage's summary.
double price_of(const Price& price, const nlohmann::json& summary);

/// The contents of `weights = endpoint(…)` or `rollout = endpoint(…)` in the resolved program.
struct DeclaredEndpoint {
  AskedModel model;
  Endpoint endpoint;
  ServerKind server = ServerKind::vllm;  ///< only for rollouts
  std::optional<Price> price;
};

/// Returns the JSON object that calls of `field(name, value)` describe. A dot in a name leads into an object:
/// "chat_template_kwargs.enable_thinking". Throws ContractError.
nlohmann::json body_of(const nlohmann::json& fields);

/// Reads a model's weights, or the rollout of a way to train, as an endpoint; nothing if it is no call of
/// `endpoint`. `place` is its position in the source file, for messages. Throws ContractError.
std::optional<DeclaredEndpoint> declared_endpoint(const nlohmann::json& value, const std::string& place);

}  // namespace trl::contract
