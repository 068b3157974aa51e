// A server and its model as the resolved program declares them: `weights = endpoint(…)`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/contract/asked_model.hpp"
#include "base/contract/endpoint.hpp"

namespace trl::contract {

/// A server's price in usd for a million tokens, as the program's file declares it; servers don't report
/// prices.
struct Price {
  double in = 0, out = 0;  ///< for tokens of prompts, for tokens of answers
};

/// Returns the price in usd of a stage's answers, from `prompt_tokens` and `tokens` of the stage's summary.
double price_of(const Price& price, const nlohmann::json& summary);

/// The contents of `weights = endpoint(…)` in the resolved program.
struct DeclaredEndpoint {
  AskedModel model;
  Endpoint endpoint;
  std::optional<Price> price;
};

/// Returns the JSON object that calls of `field(name, value)` describe. A dot in a name leads into an object:
/// "chat_template_kwargs.enable_thinking". Throws ContractError.
nlohmann::json body_of(const nlohmann::json& fields);

/// Reads a model's weights as an endpoint; nothing if they are no call of `endpoint`. `place` is the position
/// of the weights in the source file, for messages. Throws ContractError.
std::optional<DeclaredEndpoint> declared_endpoint(const nlohmann::json& weights, const std::string& place);

}  // namespace trl::contract
