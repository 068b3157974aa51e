#pragma once
// The operations of a program that decide by loaded values. Internal to the library.
#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {

/// Numbers the operations that decide by loaded values: comparisons, conditions of selects, branches and
/// masks, maximum, minimum and clamp, and roundings to integers. There are at most 256; later ones are left
/// out.
void find_decisions(Program& program);

}  // namespace trl::executor::ir
