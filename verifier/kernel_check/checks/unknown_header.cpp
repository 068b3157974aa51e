#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::unknown_header{"unknown_header", Severity::refuse, "unsupported",
                                   "Only headers whose functions can be recorded exist here."};

}  // namespace trl::kernel_check
