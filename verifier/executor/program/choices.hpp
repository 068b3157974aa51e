#pragma once
// Finds what a program leaves to the compiler. Internal to the library.
#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {

/// Sets `Operation::contracted` of sums and differences of a product in the same block, `only_contracted` of
/// such products, and `undefined` of operations without a result for some operands. Clears `reorders` where
/// the places of elements don't matter, since reductions that are one commutative operation are the only
/// users. The program must have been checked.
void find_choices(Program& program);

}  // namespace trl::executor::ir
