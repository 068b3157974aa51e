#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::crashed{"crashed", Severity::refuse, "crashed",
                            "The parser crashed on this source. Other candidates are not affected."};

}  // namespace trl::kernel_check
