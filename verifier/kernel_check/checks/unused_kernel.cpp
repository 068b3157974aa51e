#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_unused_kernel(const TranslationUnit& unit, Report& report) {
  if (unit.launches.empty() || unit.broken_host) return;
  for (const clang::FunctionDecl* kernel : unit.kernels) {
    bool used = kernel->isReferenced() || kernel->isUsed(false);
    if (const auto* described = kernel->getDescribedFunctionTemplate()) {
      used = used || described->isReferenced();
      for (const clang::FunctionDecl* instance : described->specializations())
        used = used || instance->isReferenced() || instance->isUsed(false);
    }
    for (const Launch& one : unit.launches) used = used || unit.written(one.kernel) == kernel;
    if (!used)
      report.found(checks::unused_kernel, kernel->getLocation(),
                   "kernel " + kernel->getNameAsString() + " is never launched");
  }
}

}  // namespace

const Check checks::unused_kernel{"unused_kernel", Severity::warn, "unused_kernel",
                                  "A kernel that is never launched was probably meant to be.",
                                  check_unused_kernel};

}  // namespace trl::kernel_check
