// Finds the stages whose results a store has, for the cost of a plan.
#pragma once

#include "interpreter/plan/cost.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Returns a function for `cost_of`: it gives the seconds of a stage if the store has the stage's result,
/// undamaged. The store must outlive the function.
Finished finished_in(const Store& store);

/// Returns the measurements of the latest stages in the store that sampled from the plan's models or judged
/// answers, of any experiment. At most 100 stages of each kind are read. Results that can't be read are
/// skipped.
Experience experience_in(const Store& store, const Plan& plan);

/// Returns the cost of a plan's missing stages (`cost_of`), where finished stages are looked up in a store.
std::optional<Cost> cost_in(const Store& store, const nlohmann::json& document, const Plan& plan,
                            std::string& why);

}  // namespace trl::interpreter
