// The stages whose results a store has, for the cost of a plan.
#pragma once

#include "interpreter/plan/cost.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Counts the results that the store has undamaged as finished. The store must outlive the function.
Finished finished_in(const Store& store);

}  // namespace trl::interpreter
