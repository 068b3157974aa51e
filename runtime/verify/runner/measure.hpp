#pragma once
// What the runner does with one plan: replays it, without its kernels too, and times it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/verify/runner/device_plan.hpp"

namespace trl::runner {

struct Timing {
  int warmup = 10, trials = 50;
  double budget_ms = 0;  ///< of all trials, by what the runs before them took; 0: none
};

/// Other values for a part of an input, in one run of its own.
struct Challenge {
  std::size_t input = 0, begin = 0;  ///< bytes
  std::span<const std::byte> bytes;
};

struct Measured {
  std::vector<double> graph_us;   ///< a trial each: the steps as one CUDA graph, cold L2
  std::vector<double> stream_us;  ///< the same, launched one by one
  int runs = 0;                   ///< all of them, those that warm up included
  /// The distinct outputs of the runs: every one was right only if each of these is.
  std::vector<std::vector<std::byte>> distinct;
  /// Runs whose outputs differ from all others and were too many to keep.
  int unkept = 0;
  std::vector<std::vector<std::byte>> challenged;  ///< an output for each challenge
  std::uint8_t pattern = 0;                        ///< what guards were poisoned with before the last run
};

/// Times the plan. Before each run all of its memory but the inputs is poisoned anew, with another pattern,
/// and shared memory and the L2 cache are written over, so that nothing is left of the run before it; each
/// run's output leaves the GPU, under a pad of its own. Each challenge is a run as the others are, at a place
/// among the trials that nobody knows.
Measured measure(Device& device, DevicePlan& plan, const Timing& timing,
                 std::span<const Challenge> challenges);

}  // namespace trl::runner
