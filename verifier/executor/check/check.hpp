#pragma once
// Checks every invariant of a program that the machine relies on, independently of how the program was made.
// Internal to the library.
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

/// Checks a program before its values get storage: the number and types of operands and results, further
/// fields of each operation, regions, terminators, arguments of successors, calls, and that on every path
/// each value is defined before it is used. The check doesn't depend on the syntax of the text. Throws
/// Failure with the position of the first wrong operation.
void check(const ir::Program& program);

/// Checks that each value's definition dominates the value's uses; `check` calls this for each function.
/// Throws Failure at the first use that isn't dominated by the definition, and for a value that is defined
/// twice or doesn't exist. Unreachable blocks may use any value, since they never run. The caller must have
/// checked that every branch leads to a block of the branch's own region.
void check_dominance(const ir::Function& function);

}  // namespace trl::executor
