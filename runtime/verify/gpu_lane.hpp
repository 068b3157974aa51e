#pragma once
// The one lane that a GPU has: candidates and references take turns on it, so that none is timed beside
// another.
#include <map>
#include <memory>
#include <mutex>

#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/gpu_runner.hpp"

namespace trl::runtime {

/// A task's PyTorch module on the GPU, microseconds.
struct ReferenceTime {
  double graph_us = 0;                ///< its eager operations as one CUDA graph: what a speed-up is over
  double python_us = 0;               ///< called from Python
  std::optional<double> compiled_us;  ///< torch.compile's, as one CUDA graph, where asked for
};

class GpuLane {
 public:
  explicit GpuLane(const Installation& installation);

  /// Starts what runs on the GPU. Throws StageError when it cannot be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  const std::string& gpu() const { return runner_.gpu(); }

  GpuReplay replay(const Plan& plan, const std::vector<Compiled>& kernels,
                   const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                   const std::function<bool()>& cancelled = {});

  /// Measured once for each task, sizes and protocol. Throws StageError when the reference does not run.
  ReferenceTime reference(const Task& task, const Variation& variation, const TimingProtocol& timing,
                          bool compiled, const std::function<bool()>& cancelled = {});

 private:
  void start_baseline(const std::function<bool()>& cancelled);

  std::mutex mutex_;
  GpuRunner runner_;
  std::vector<std::string> baseline_command_;
  ChildProcess baseline_;
  std::map<std::string, ReferenceTime> references_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
