#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::too_slow{"too_slow", Severity::refuse, "timeout",
                             "A source that takes seconds to parse was made to be slow."};

}  // namespace trl::kernel_check
