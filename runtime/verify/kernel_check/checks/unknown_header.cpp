#include "runtime/verify/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::unknown_header{"unknown_header", Severity::refuse, "unsupported",
                                   "Headers stand for what can be recorded; another has no contents."};

}  // namespace trl::kernel_check
