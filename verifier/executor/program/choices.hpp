#pragma once
// Finds the choices that a program leaves to the compiler. Internal to the library.
#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {

/// Finds the operations whose result depends on the compiler. Sets `Operation::contracted` of sums and
/// differences of a product in the same block, `only_contracted` of products that are used only in this way,
/// and `undefined` of operations that have no defined result for some operands. Clears `reorders` of
/// operations whose order of elements doesn't matter, because their only users are reductions by one
/// commutative operation. The program must have been checked.
void find_choices(Program& program);

}  // namespace trl::executor::ir
