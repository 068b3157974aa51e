#include "runtime/verify/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::missing_function{"missing_function", Severity::refuse, "missing_function",
                                     "What Python is to call must be defined, once and by that name."};

}  // namespace trl::kernel_check
