#include "runtime/verify/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::crashed{"crashed", Severity::refuse, "crashed",
                            "The parser ended on this source; others are not touched by it."};

}  // namespace trl::kernel_check
