#pragma once

#include "interpreter/graph/dot.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The stages of a plan, what each is made from, and the rows that they end in. Those that the store has are
/// grey.
DotGraph stages_graph(const Plan& plan, const Store& store);

}  // namespace trl::interpreter
