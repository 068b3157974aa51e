#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Every row's stages, and everything from which each stage was made: the resolved experiment, overrides,
/// versions, digests of secret, models and data, keys, digests of specs, inputs, summaries and seconds,
/// and the machines on which they were made.
nlohmann::json provenance(const nlohmann::json& document, const Plan& plan, const Store& store,
                          const std::vector<std::string>& sets);

}  // namespace trl::interpreter
