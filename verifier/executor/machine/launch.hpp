#pragma once
// A launch's inputs in one struct, and the function that runs a launch.
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

  std::uint64_t programs() const { return std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]; }
};

/// Whether the module has atomics or volatile loads, by which the programs of a launch may order themselves
/// or wait for each other.
bool synchronises(const ir::Program& program);

/// Runs all programs and writes `report`. Throws std::bad_alloc, and std::logic_error for internal errors.
void run_launch(const LaunchOf& of, Memory& memory, Report& report);

}  // namespace trl::executor
