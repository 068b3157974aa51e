#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::too_large{"too_large", Severity::refuse, "too_large",
                              "No kernel needs a source of this size."};

}  // namespace trl::kernel_check
