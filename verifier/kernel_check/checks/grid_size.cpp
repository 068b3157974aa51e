#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_grid_size(const TranslationUnit& unit, Report& report) {
  for (const Launch& one : unit.launches) {
    if (!one.grid) continue;
    const Triple grid = unit.constants(one.grid);
    for (int axis = 0; axis < 3; ++axis) {
      if (!grid[axis] || (*grid[axis] > 0 && *grid[axis] <= unit.limits.grid[axis])) continue;
      report.found(checks::grid_size, one.grid->getExprLoc(),
                   fmt::format("a grid of {} blocks along {}: 1 to {} are possible", *grid[axis], "xyz"[axis],
                               unit.limits.grid[axis]),
                   axis ? "put the long axis first, in x" : "");
      break;
    }
  }
}

}  // namespace

const Check checks::grid_size{"grid_size", Severity::refuse, "wrong_launch",
                              "A grid beyond the device's limits isn't launched at all.", check_grid_size};

}  // namespace trl::kernel_check
