#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::kernel_signature{"kernel_signature", Severity::refuse, "compile_error",
                                     "A kernel is a free function that returns void."};

}  // namespace trl::kernel_check
