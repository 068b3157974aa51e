#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::launch_arguments{"launch_arguments", Severity::refuse, "wrong_launch",
                                     "A launch passes as many arguments as the kernel takes."};

}  // namespace trl::kernel_check
