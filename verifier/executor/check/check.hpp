#pragma once
// Checks every invariant of a program that the machine relies on, independently of how the program was made.
// Internal to the library.
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

/// Checks a program before its values get storage: number and types of operands and results, further fields
/// of each operation, regions, terminators, arguments of successors, calls, and that on every path each value
/// is defined before it is used. It doesn't depend on the syntax of the text. Throws Failure with the
/// position of the first operation that is wrong.
void check(const ir::Program& program);

/// Checks that each value's definition dominates its uses, as a part of `check`. Throws Failure at the first
/// use of a value of the function that isn't dominated by its definition, and for a value that is defined
/// twice or doesn't exist. Unreachable blocks may use any value, since they never run. The targets of
/// branches must be blocks of their region.
void check_dominance(const ir::Function& function);

}  // namespace trl::executor
