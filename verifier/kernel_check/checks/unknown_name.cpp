#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::unknown_name{
    "unknown_name", Severity::refuse, "unsupported",
    "A wrapper may only use functions that can be recorded; other names are not defined here."};

}  // namespace trl::kernel_check
