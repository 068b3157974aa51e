#pragma once
// Data of a launch that its parts share.
#include "runtime/verify/executor/launch/launch.hpp"
#include "runtime/verify/executor/launch/memory.hpp"
#include "runtime/verify/executor/launch/report.hpp"
#include "runtime/verify/executor/program/ir.hpp"

namespace trl::executor {

struct LaunchOf {
  const ir::Program& program;
  const ir::Function& kernel;
  const Launch& launch;
  const Options& options;
};

/// Whether programs may be ordered or wait for each other, because there are atomics or volatile loads.
bool synchronises(const ir::Program& program);

/// Runs all programs and writes `report`. Throws std::bad_alloc, and std::logic_error for internal errors.
void run_launch(const LaunchOf& of, Memory& memory, Report& report);

}  // namespace trl::executor
