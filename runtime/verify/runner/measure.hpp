#pragma once
// What the runner does with one plan: replays it, without its kernels too, and times it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/verify/runner/device_plan.hpp"

namespace trl::runner {

struct Timing {
  int warmup = 10, trials = 50;
};

struct Measured {
  std::vector<double> graph_us;   ///< a trial each: the steps as one CUDA graph, cold L2
  std::vector<double> stream_us;  ///< the same, launched one by one
  int runs = 0;                   ///< all of them, those that warm up included
  /// The distinct outputs of the runs: every one was right only if each of these is.
  std::vector<std::vector<std::byte>> distinct;
  /// Runs whose outputs differ from all others and were too many to keep.
  int unkept = 0;
};

/// Times the plan. Before each run temporaries and output are poisoned anew, with another pattern, and the L2
/// cache is written over, so that nothing is left of the run before it; each run's output leaves the GPU.
Measured measure(Device& device, DevicePlan& plan, const Timing& timing);

}  // namespace trl::runner
