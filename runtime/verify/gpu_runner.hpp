#pragma once
// The runner process, trl-runner, as the verifier sees it.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/child_process.hpp"
#include "runtime/verify/plan.hpp"
#include "runtime/verify/recorder.hpp"
#include "runtime/verify/replay.hpp"

namespace trl::runtime {

/// How often a plan is timed.
struct TimingProtocol {
  int warmup = 10, trials = 50;
  double trim = 0.1;  ///< share cut from each end before the mean
};

/// The mean of what is left when so large a share is cut from each end; none of nothing.
std::optional<double> trimmed_mean(std::vector<double> values, double trim);

/// A plan replayed on the GPU.
struct GpuReplay {
  /// What went wrong, if something did: all else is empty then.
  std::optional<ReplayFinding> finding;
  std::vector<std::vector<double>> outputs;  ///< under two poisons, then each distinct one of the timed runs
  std::vector<double> without_kernels;       ///< the output of the plan without the candidate's kernels
  std::vector<double> graph_us, stream_us;   ///< trials: as one CUDA graph, and launched one by one
};

/// Runners of one GPU: one works, one is warm beside it for when the first has to end. Used by one thread at
/// a time.
class GpuRunner {
 public:
  /// `program` is trl-runner.
  explicit GpuRunner(std::string program);

  /// Starts the runners that don't run yet. Throws StageError when the GPU cannot be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  const std::string& gpu() const { return gpu_; }

  /// Replays a plan whose kernels are compiled (`kernels[i]` is kernel i, or not `ok` where the plan doesn't
  /// launch it), and times it where asked. Past `time` the runner is ended, and the finding is a timeout.
  GpuReplay replay(const Plan& plan, const std::vector<Compiled>& kernels,
                   const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                   std::chrono::milliseconds time, const std::function<bool()>& cancelled = {});

 private:
  std::optional<GpuReplay> attempt(const Plan& plan, const std::vector<Compiled>& kernels,
                                   const std::vector<InputData>& inputs,
                                   const std::optional<TimingProtocol>& timing,
                                   std::chrono::milliseconds time, const std::function<bool()>& cancelled);
  void await(ChildProcess& child, const std::function<bool()>& cancelled);

  std::string program_, gpu_;
  ChildProcess working_, standby_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
