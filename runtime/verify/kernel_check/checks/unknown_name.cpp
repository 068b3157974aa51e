#include "runtime/verify/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::unknown_name{
    "unknown_name", Severity::refuse, "unsupported",
    "A wrapper may use what can be recorded: names outside of it have no meaning here."};

}  // namespace trl::kernel_check
