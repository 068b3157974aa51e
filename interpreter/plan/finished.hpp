// Finds the stages whose results a store has, for the cost of a plan.
#pragma once

#include "interpreter/plan/cost.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Returns a function for which a stage is finished if the store has its result, undamaged. The store must
/// outlive the function.
Finished finished_in(const Store& store);

}  // namespace trl::interpreter
