#pragma once

#include <functional>

#include "interpreter/graph/dot.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// A graph of a plan's stages, with their inputs and the rows that they lead to. Stages that are
/// done are grey.
DotGraph stages_graph(const Plan& plan, const std::function<bool(const Stage&)>& done);

}  // namespace trl::interpreter
