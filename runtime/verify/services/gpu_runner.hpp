#pragma once
// The runner process, trl-runner, as the verifier sees it.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ground/child_process.hpp"
#include "runtime/verify/inputs/challenge.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/replay/replay.hpp"
#include "runtime/verify/services/recorder.hpp"
#include "runtime/verify/spent.hpp"

namespace trl::runtime {

/// How often a plan is timed.
struct TimingProtocol {
  int warmup = 10, trials = 50;
  double trim = 0.1;  ///< share cut from each end before the mean
  /// What all trials may take, milliseconds; 0: whatever they take. A slow candidate, which no reward is
  /// waiting for, is timed less often, five times at least.
  double budget_ms = 0;
};

/// The mean of what is left when so large a share is cut from each end; none of nothing.
std::optional<double> trimmed_mean(std::vector<double> values, double trim);

/// A plan replayed on the GPU.
struct GpuReplay {
  /// What went wrong, if something did: all else is empty then.
  std::optional<ReplayFinding> finding;
  std::optional<ReplayFinding> damage;       ///< a store beside a buffer
  std::vector<std::vector<double>> outputs;  ///< under two poisons, then each distinct one of the timed runs
  std::vector<double> without_kernels;       ///< the output of the plan without the candidate's kernels
  std::vector<std::vector<double>> challenged;  ///< an output for each challenge
  std::vector<double> graph_us, stream_us;      ///< trials: as one CUDA graph, and launched one by one
  Spent spent;                                  ///< on the runner, and waiting for it
};

/// What a runner is asked: a plan, its cubins, its inputs. Made, and its answer read, without a runner, so
/// that none waits for it.
class GpuRequest {
 public:
  /// `kernels[i]` is kernel i, or not `ok` where the plan doesn't launch it; they, the inputs and the
  /// challenges are referred to. Challenges come among the timed runs.
  GpuRequest(const Plan& plan, const std::vector<Compiled>& kernels, const std::vector<InputData>& inputs,
             const std::optional<TimingProtocol>& timing, const std::vector<Challenge>& challenges = {});

 private:
  friend class GpuRunner;
  const Plan& plan_;
  const std::vector<Compiled>& kernels_;
  const std::vector<InputData>& inputs_;
  std::vector<std::span<const std::byte>> challenges_;
  std::string head_;  // without its id
};

/// A runner's answer as it came.
struct GpuAnswer {
  std::optional<ReplayFinding> finding;
  nlohmann::json head;
  std::vector<std::vector<std::byte>> parts;

  /// What it says about the plan.
  GpuReplay read(const Plan& plan) const;
};

/// Runners of one GPU: one works, one is warm beside it for when the first has to end. Used by one thread at
/// a time.
class GpuRunner {
 public:
  /// `program` is trl-runner.
  explicit GpuRunner(std::string program);

  /// Starts the runners that don't run yet. Throws UserError when the GPU cannot be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  const std::string& gpu() const { return gpu_; }

  /// Has the plan replayed, and timed where asked. Past `time` the runner is ended, and the finding is a
  /// timeout.
  GpuAnswer ask(const GpuRequest& request, std::chrono::milliseconds time,
                const std::function<bool()>& cancelled = {});

 private:
  std::optional<GpuAnswer> attempt(const GpuRequest& request, std::chrono::milliseconds time,
                                   const std::function<bool()>& cancelled);
  struct Start {
    bool good = true;
    bool killed = false;  ///< by a signal, before it said anything
    std::string why = {};
  };
  Start start(ChildProcess& child, const std::function<bool()>& cancelled);

  std::string program_, gpu_;
  ChildProcess working_, standby_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
