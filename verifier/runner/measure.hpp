#pragma once
// Runs a launch plan repeatedly on the GPU, measures the time of each run and collects the outputs.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "verifier/runner/device_plan.hpp"

namespace trl::runner {

struct Timing {
  int warmup = 10, trials = 50;
  /// The time limit for all trials together. If the warm-up runs show that `trials` runs would take longer,
  /// fewer trials are made (but at least 5, or `trials` if that is less). 0: no limit.
  double budget_ms = 0;
};

/// A change of an input for a single run: `bytes` replace a part of the input.
struct Challenge {
  std::size_t input = 0, begin = 0;  ///< the input's index, and the byte offset of the changed part
  std::span<const std::byte> bytes;
};

struct Measured {
  /// The time of each trial in microseconds, with the plan's steps as one CUDA graph and a cold L2 cache.
  std::vector<double> graph_us;
  /// The times of further runs in microseconds, with the plan's steps launched one by one and a cold L2
  /// cache.
  std::vector<double> stream_us;
  int runs = 0;  ///< the number of all timed runs and warm-up runs
  /// The distinct outputs of these runs: all runs were right only if all distinct outputs are right.
  std::vector<std::vector<std::byte>> distinct;
  /// The number of further distinct outputs, for which there was no memory in `distinct`.
  int unkept = 0;
  std::vector<std::vector<std::byte>> challenged;  ///< the output of each challenge's run
  std::uint8_t pattern = 0;  ///< the byte with which the guards were filled before the last run
};

/// Measures the plan. Before each run, all memory of the plan except the inputs is filled with a byte
/// pattern, and shared memory and the L2 cache are overwritten, so that nothing is left of the previous run.
/// The output of each run is copied to the host, masked by its own one-time pad. For each challenge there is
/// one more run with the changed input, at a random position among the trials. With `judge`, outputs stay on
/// the GPU and `distinct` stays empty: `judge` is called while a distinct output is in the memory that
/// DevicePlan::shared names, and throws if the output is wrong.
Measured measure(Device& device, DevicePlan& plan, const Timing& timing,
                 std::span<const Challenge> challenges, const std::function<void()>& judge = {});

}  // namespace trl::runner
