#pragma once
// The only access to a GPU: candidates and references take turns, so that none is timed while another one
// runs.
#include <mutex>
#include <utility>

#include "verifier/services/gpu_runner.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The times of a task's PyTorch module on the GPU in microseconds.
struct ReferenceTime {
  double graph_us = 0;   ///< its eager operations as one CUDA graph; speed-ups are relative to this
  double python_us = 0;  ///< called from Python
  std::optional<double> compiled_us;  ///< torch.compile's code as one CUDA graph, where asked for
};

class ExclusiveGpu {
 public:
  explicit ExclusiveGpu(const Installation& installation);

  /// Starts the processes that run on the GPU. Throws UserError when it cannot be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  /// Known once it is ready. Waits until no other candidate uses the GPU.
  RunnerGpu gpu() {
    const std::lock_guard lock(mutex_);
    return runner_.gpu();
  }

  GpuReplay replay(const Plan& plan, const std::vector<Compiled>& kernels,
                   const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                   const std::function<bool()>& cancelled = {});

  /// The reference that a candidate is compared with.
  struct Against {
    const Task& task;
    const Variation& variation;
    bool compiled = false;                     ///< whether to time torch.compile's code, too
    const std::vector<Challenge>& challenges;  ///< for the plan, among its timed runs
  };
  /// Replays and times a plan and then, unless it failed, times its task's reference by the same protocol.
  /// Nothing else runs between the two, so both see the GPU in the same state. Throws UserError when the
  /// reference does not run.
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
