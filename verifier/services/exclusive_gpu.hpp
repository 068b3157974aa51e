#pragma once
// Gives access to a GPU. Candidates and references take turns, so that the GPU runs nothing else while one of
// them is timed.
#include <mutex>
#include <utility>

#include "verifier/services/gpu_runner.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The times of a task's PyTorch module on the GPU, in microseconds.
struct ReferenceTime {
  double graph_us = 0;   ///< eager operations as one CUDA graph; speed-ups are relative to this time
  double python_us = 0;  ///< eager operations, called from Python
  std::optional<double> compiled_us;  ///< torch.compile's code as one CUDA graph, if requested
};

class ExclusiveGpu {
 public:
  explicit ExclusiveGpu(const Installation& installation);

  /// Starts the processes that use the GPU. Throws UserError if the GPU can't be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  /// Returns the GPU's name and versions; empty before `ready`. Waits until no other candidate uses the GPU.
  RunnerGpu gpu() {
    const std::lock_guard lock(mutex_);
    return runner_.gpu();
  }

  GpuReplay replay(const Plan& plan, const std::vector<Compiled>& kernels,
                   const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                   const std::function<bool()>& cancelled = {});

  /// The reference with which a candidate is compared.
  struct Against {
    const Task& task;
    const Variation& variation;
    bool compiled = false;    ///< whether to time torch.compile's code, too
    bool own_module = false;  ///< whether the task's module may be carried out; otherwise its expression is
    const std::vector<Challenge>& challenges;  ///< changed inputs for some of the plan's timed runs
  };
  /// Replays and times a plan. If the plan didn't fail, then times the task's reference by the same protocol.
  /// Nothing runs on the GPU in between, so that it is in the same state for both. Throws UserError if the
  /// reference doesn't run.
  std::pair<GpuReplay, ReferenceTime> compare(const Plan& plan, const std::vector<Compiled>& kernels,
                                              const std::vector<InputData>& inputs,
                                              const TimingProtocol& timing, const Against& against,
                                              const std::function<bool()>& cancelled = {});

 private:
  std::unique_lock<std::mutex> take_turn(Timings& timings);
  void start_baseline(const std::function<bool()>& cancelled);
  ReferenceTime time_reference(const std::string& request, const std::string& task, double trim,
                               const std::function<bool()>& cancelled);

  std::mutex mutex_;
  GpuRunner runner_;
  std::vector<std::string> baseline_command_;
  ChildProcess baseline_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
