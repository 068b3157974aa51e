#pragma once
// Finds the decisions of a program: operations whose outcome depends on loaded values. Internal to the
// library.
#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {

/// Numbers the decisions of a program (Operation::decision): comparisons, conditions of selects, branches and
/// masks, maximum, minimum and clamp, and roundings to integers, each if it depends on loaded values. At most
/// 256 decisions are numbered; later decisions are left out.
void find_decisions(Program& program);

}  // namespace trl::executor::ir
