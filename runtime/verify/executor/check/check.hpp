#pragma once
// Checks every invariant of a program that the machine relies on, independently of how the program was made.
// Internal to the library.
#include "runtime/verify/executor/program/ir.hpp"

namespace trl::executor {

/// Checks a program before its values get storage: number and types of operands and results, further fields
/// of each operation, regions, terminators, arguments of successors, calls, and that on every path each value
/// is defined before it is used. It doesn't depend on the syntax of the text. Throws Failure with the
/// position of the first operation that is wrong.
void check(const ir::Program& program);

}  // namespace trl::executor
