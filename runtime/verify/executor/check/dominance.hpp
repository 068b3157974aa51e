#pragma once
// Which definitions come before which uses, on every path. Internal to the library.
#include <vector>

#include "runtime/verify/executor/program/ir.hpp"

namespace trl::executor {

/// Throws Failure at the first use of a value of the function that isn't dominated by its definition, and at
/// a value that is defined twice, or a number that is none. Blocks that can't be reached may use what they
/// like: they never run. The targets of branches must be blocks of their region.
void check_dominance(const ir::Function& function);

}  // namespace trl::executor
