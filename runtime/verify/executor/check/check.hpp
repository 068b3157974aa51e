#pragma once
// Every invariant that the machine relies on, checked on a program whoever made it. Internal to the library.
#include "runtime/verify/executor/program/ir.hpp"

namespace trl::executor {

/// Checks a program before its values have places: counts and types of operands and results, what each
/// operation keeps besides them, regions, terminators, arguments of successors, calls, and that on every path
/// each value is defined before it is used. It knows nothing of the text's forms. Throws Failure with the
/// place of the first operation that is wrong.
void check(const ir::Program& program);

}  // namespace trl::executor
