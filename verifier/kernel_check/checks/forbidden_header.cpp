#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const Check checks::forbidden_header{
    "forbidden_header", Severity::refuse, "forbidden",
    "A kernel needs no files, processes, libraries, network, threads or clocks."};

}  // namespace trl::kernel_check
