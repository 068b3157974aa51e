// Which stages a store has the results of, as the cost of a plan asks.
#pragma once

#include "interpreter/plan/cost.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Counts the results that the store has undamaged as finished. The store must outlive the function.
Finished finished_in(const Store& store);

}  // namespace trl::interpreter
