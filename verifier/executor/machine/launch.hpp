#pragma once
// Data of a launch that its parts share.
#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/memory.hpp"
#include "verifier/executor/launch/report.hpp"
#include "verifier/executor/program/ir.hpp"

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
