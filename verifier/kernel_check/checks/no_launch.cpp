#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_no_launch(const TranslationUnit& unit, Report& report) {
  if (!unit.launches.empty() || unit.broken_host) return;
  if (unit.language == Language::launch_wrapper)
    report.found(checks::no_launch, {}, "nothing is launched");
  else if (!unit.kernels.empty())
    report.found(checks::no_launch, unit.kernels.front()->getLocation(),
                 "no kernel is launched: " + unit.kernels.front()->getNameAsString() + " is only defined",
                 "launch it in the wrapper: kernel<<<grid, block, 0, stream>>>(…)");
}

}  // namespace

const Check checks::no_launch{"no_launch", Severity::refuse, "no_kernel",
                              "A kernel that nothing launches computes nothing.", check_no_launch};

}  // namespace trl::kernel_check
