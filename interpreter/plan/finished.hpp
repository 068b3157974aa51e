// Finds the stages whose results a store has, for the cost of a plan.
#pragma once

#include "interpreter/plan/cost.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Returns a function for which a stage is finished if the store has its result, undamaged. The store must
/// outlive the function.
Finished finished_in(const Store& store);

/// What the store's latest stages that sampled from the plan's models, and those that judged answers,
/// measured: at most 100 of a kind, whichever experiment they are of. Results that can't be read count as
/// absent.
Experience experience_in(const Store& store, const Plan& plan);

/// The cost of a plan (`cost_of`) of which a store has finished stages.
std::optional<Cost> cost_in(const Store& store, const nlohmann::json& document, const Plan& plan,
                            std::string& why);

}  // namespace trl::interpreter
