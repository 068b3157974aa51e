#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_block_size(const TranslationUnit& unit, Report& report) {
  for (const Launch& one : unit.launches) {
    if (!one.block) continue;
    const Triple block = unit.constants(one.block);
    const clang::SourceLocation place = one.block->getExprLoc();
    std::int64_t threads = 1;
    bool known = true, reported = false;
    for (int axis = 0; axis < 3 && !reported; ++axis) {
      if (!block[axis]) {
        known = false;
        continue;
      }
      if (*block[axis] <= 0 || *block[axis] > unit.limits.block[axis]) {
        report.found(checks::block_size, place,
                     fmt::format("a block of {} threads along {}: 1 to {} are possible", *block[axis],
                                 "xyz"[axis], unit.limits.block[axis]));
        reported = true;
      } else {
        threads *= *block[axis];
      }
    }
    if (known && !reported && threads > unit.limits.threads_per_block)
      report.found(checks::block_size, place,
                   fmt::format("a block of {} x {} x {} = {} threads: at most {} are possible", *block[0],
                               *block[1], *block[2], threads, unit.limits.threads_per_block),
                   "make the block smaller and let threads loop");
  }
}

}  // namespace

const Check checks::block_size{"block_size", Severity::refuse, "wrong_launch",
                               "A block that the device can't hold isn't launched at all.", check_block_size};

}  // namespace trl::kernel_check
