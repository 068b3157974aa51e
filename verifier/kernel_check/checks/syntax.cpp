#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::syntax{"syntax", Severity::refuse, "syntax_error",
                           "A source that doesn't parse can't be compiled."};

}  // namespace trl::kernel_check
