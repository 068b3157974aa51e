#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::launch_configuration{"launch_configuration", Severity::refuse, "wrong_launch",
                                         "A kernel is launched by <<<grid, block, shared bytes, stream>>>."};

}  // namespace trl::kernel_check
