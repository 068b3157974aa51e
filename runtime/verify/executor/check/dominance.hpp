#pragma once
// Checks that each value's definition dominates its uses. Internal to the library.
#include <vector>

#include "runtime/verify/executor/program/ir.hpp"

namespace trl::executor {

/// Throws Failure at the first use of a value of the function that isn't dominated by its definition, and for
/// a value that is defined twice or doesn't exist. Unreachable blocks may use any value, since they never
/// run. The targets of branches must be blocks of their region.
void check_dominance(const ir::Function& function);

}  // namespace trl::executor
