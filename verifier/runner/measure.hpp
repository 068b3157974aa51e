#pragma once
// How the runner replays one plan, with and without its kernels, and times it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "verifier/runner/device_plan.hpp"

namespace trl::runner {

struct Timing {
  int warmup = 10, trials = 50;
  double budget_ms = 0;  ///< for all trials, estimated from the runs before them; 0: no limit
};

/// Other values for a part of an input, used in a single run.
struct Challenge {
  std::size_t input = 0, begin = 0;  ///< begin in bytes
  std::span<const std::byte> bytes;
};

struct Measured {
  std::vector<double> graph_us;   ///< one per trial: the steps as one CUDA graph, with a cold L2 cache
  std::vector<double> stream_us;  ///< the same, with launches one by one
  int runs = 0;                   ///< the number of all runs, including warm-up
  /// The distinct outputs of the runs: all runs were right only if each of these is.
  std::vector<std::vector<std::byte>> distinct;
  /// The number of runs with yet other outputs, which were too many to keep.
  int unkept = 0;
  std::vector<std::vector<std::byte>> challenged;  ///< one output per challenge
  std::uint8_t pattern = 0;                        ///< the poison in the guards before the last run
};

/// Times the plan. Before each run all of its memory except the inputs is filled with a new poison pattern,
/// and shared memory and the L2 cache are overwritten, so that nothing is left of the previous run. Each
/// run's output is copied to the host, masked by a pad of its own. Each challenge is a run like the others,
/// at an unpredictable position among the trials.
Measured measure(Device& device, DevicePlan& plan, const Timing& timing,
                 std::span<const Challenge> challenges);

}  // namespace trl::runner
