#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::launch_types{"launch_types", Severity::refuse, "wrong_launch",
                                 "A launch passes arguments of the types that the kernel takes."};

}  // namespace trl::kernel_check
