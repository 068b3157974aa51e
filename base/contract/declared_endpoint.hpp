// A server and its model as the document names them: `weights = endpoint(…)`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/contract/asked_model.hpp"
#include "base/contract/endpoint.hpp"

namespace trl::contract {

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

}  // namespace trl::contract
