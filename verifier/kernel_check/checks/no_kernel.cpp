#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_no_kernel(const TranslationUnit& unit, Report& report) {
  if (unit.language != Language::cuda || !unit.kernels.empty() || unit.broken_host) return;
  report.found(checks::no_kernel, {}, "the candidate has no __global__ function",
               "write the computation as a kernel: __global__ void name(…)");
}

}  // namespace

const Check checks::no_kernel{"no_kernel", Severity::refuse, "no_kernel",
                              "Only kernels are judged, so a candidate needs one.", check_no_kernel};

}  // namespace trl::kernel_check
