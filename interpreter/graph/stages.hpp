#pragma once

#include <functional>

#include "interpreter/graph/dot.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// A graph of a plan's stages, their inputs, and the table rows whose figures depend on them. Stages for
/// which `done` returns true are grey.
DotGraph stages_graph(const Plan& plan, const std::function<bool(const Stage&)>& done);

}  // namespace trl::interpreter
