#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The provenance of a report as JSON: the resolved experiment, overrides, versions, and digests of the
/// secret, models and data; and for every row its stages, with keys, digests of their specs, inputs,
/// summaries, seconds, and the machines that made them.
nlohmann::json provenance(const nlohmann::json& document, const Plan& plan, const Store& store,
                          const std::vector<std::string>& sets);

}  // namespace trl::interpreter
