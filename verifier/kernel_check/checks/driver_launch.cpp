#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// Checks a CUlaunchConfig{grid x, y, z, block x, y, z, bytes of shared memory, …}.
void config(const TranslationUnit& unit, const InitListExpr* list, Report& report) {
  const Limits& limits = unit.limits;
  std::int64_t threads = 1;
  for (unsigned i = 0; i < std::min(7u, list->getNumInits()); ++i) {
    const Expr* part = list->getInit(i);
    const auto value = unit.constant(part->IgnoreImpCasts());
    if (!value) return;
    const std::int64_t most = i < 3   ? limits.grid[i]
                              : i < 6 ? limits.block[i - 3]
                                      : limits.shared_bytes_optin;
    static const char* const names[] = {"grid x",  "grid y",  "grid z",      "block x",
                                        "block y", "block z", "shared bytes"};
    if (*value < (i < 6 ? 1 : 0) || *value > most) {
      report.found(checks::driver_launch, part->getExprLoc(),
                   fmt::format("{} is {}: {} to {} are possible", names[i], *value, i < 6 ? 1 : 0, most));
      return;
    }
    if (i >= 3 && i < 6) threads *= *value;
  }
  if (threads > limits.threads_per_block)
    report.found(
        checks::driver_launch, list->getBeginLoc(),
        fmt::format("a block of {} threads: at most {} are possible", threads, limits.threads_per_block));
}

void check_driver_launch(const TranslationUnit& unit, Report& report) {
  for (const Function& one : unit.functions)
    walk(one.declaration->getBody(), [&](const Stmt* each) {
      if (const auto* list = llvm::dyn_cast<InitListExpr>(each))
        if (list->getNumInits() >= 7 &&
            list->getType().getAsString().find("CUlaunchConfig") != std::string::npos)
          config(unit, list, report);
      return true;
    });
}

}  // namespace

const Check checks::driver_launch{"driver_launch", Severity::refuse, "wrong_launch",
                                  "A launch by the driver has the same limits as <<<…>>>.",
                                  check_driver_launch};

}  // namespace trl::kernel_check
