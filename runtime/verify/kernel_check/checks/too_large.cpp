#include "runtime/verify/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::too_large{"too_large", Severity::refuse, "too_large",
                              "A source has a size that kernels have."};

}  // namespace trl::kernel_check
