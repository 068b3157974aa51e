#pragma once

#include "interpreter/graph/dot.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// A graph of a plan's stages, with their inputs and the rows that they lead to. Stages that the store has
/// are grey.
DotGraph stages_graph(const Plan& plan, const Store& store);

}  // namespace trl::interpreter
