#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// From every row to its stages, and from every stage to what it was made of: the resolved experiment,
/// overrides, versions, digests of secret, models and data, keys, specs' digests, inputs, summaries and
/// seconds.
nlohmann::json provenance(const nlohmann::json& document, const Plan& plan, const Store& store,
                          const std::vector<std::string>& sets);

}  // namespace trl::interpreter
