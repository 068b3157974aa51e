#include "runtime/verify/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::forbidden_header{
    "forbidden_header", Severity::refuse, "forbidden",
    "Files, processes, libraries, network, threads and clocks are nothing a kernel needs."};

}  // namespace trl::kernel_check
