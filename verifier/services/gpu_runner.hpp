#pragma once
// The verifier's side of the runner process, trl-runner.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/support/child_process.hpp"
#include "verifier/inputs/challenge.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/services/recorder.hpp"
#include "verifier/timings.hpp"

namespace trl::runtime {

/// How a plan is timed, and how often.
struct TimingProtocol {
  int warmup = 10, trials = 50;
  double trim = 0.1;  ///< share of the trials that is cut from each end before the mean is taken
  /// The limit of all trials together, in milliseconds; 0: no limit. A candidate so slow that it earns no
  /// reward for speed is timed less often, but at least five times.
  double budget_ms = 0;
};

/// The mean of the values that remain when this share is cut from each end; none when there are no values.
std::optional<double> trimmed_mean(std::vector<double> values, double trim);

/// The result of replaying a plan on the GPU.
struct GpuReplay {
  /// The failure, if there was one; everything else is empty then.
  std::optional<ReplayFinding> finding;
  std::optional<ReplayFinding> damage;  ///< a store into the memory beside a buffer
  /// One for each of the two poisons, then each distinct output of the timed runs.
  std::vector<std::vector<double>> outputs;
  std::vector<double> without_kernels;          ///< the output of the plan without the candidate's kernels
  std::vector<std::vector<double>> challenged;  ///< the output of each challenge
  /// One time per trial: as one CUDA graph, and with launches one by one.
  std::vector<double> graph_us, stream_us;
  Timings timings;  ///< time on the runner, and waiting for it
};

/// A request to a runner: a plan, its cubins and its inputs. It is made, and its answer is read, without a
/// runner, so that the GPU doesn't wait meanwhile.
class GpuRequest {
 public:
  /// `kernels[i]` is kernel i, or not `ok` where the plan doesn't launch it. The kernels, the inputs and the
  /// challenges are kept by reference. Challenges are among the timed runs.
  GpuRequest(const Plan& plan, const std::vector<Compiled>& kernels, const std::vector<InputData>& inputs,
             const std::optional<TimingProtocol>& timing, const std::vector<Challenge>& challenges = {});

 private:
  friend class GpuRunner;
  const Plan& plan_;
  const std::vector<Compiled>& kernels_;
  const std::vector<InputData>& inputs_;
  std::vector<std::span<const std::byte>> challenges_;
  std::string head_;  // without the request's id
};

/// A runner's answer, not interpreted yet.
struct GpuAnswer {
  std::optional<ReplayFinding> finding;
  nlohmann::json head;
  std::vector<std::vector<std::byte>> parts;

  /// Interprets the answer as the result of the plan.
  GpuReplay read(const Plan& plan) const;
};

/// A runner's GPU, and the versions of the driver and of the CUDA that it has.
struct RunnerGpu {
  std::string name, driver, cuda;
};

/// The runners of one GPU: one works, and a spare one is ready for when the first has to end. Used by one
/// thread at a time.
class GpuRunner {
 public:
  /// `program` is the path of trl-runner.
  explicit GpuRunner(std::string program);

  /// Starts the runners that don't run yet. Throws UserError when the GPU cannot be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  /// The GPU that the last runner to start has announced; before that all empty.
  const RunnerGpu& gpu() const { return gpu_; }

  /// Has the plan replayed, and timed where asked for. After `time` the runner is ended, and the finding is a
  /// timeout.
  GpuAnswer ask(const GpuRequest& request, std::chrono::milliseconds time,
                const std::function<bool()>& cancelled = {});

 private:
  std::optional<GpuAnswer> attempt(const GpuRequest& request, std::chrono::milliseconds time,
                                   const std::function<bool()>& cancelled);
  struct Start {
    bool good = true;
    bool killed = false;  ///< by a signal, before it announced anything
    std::string why = {};
  };
  Start start(ChildProcess& child, const std::function<bool()>& cancelled);

  std::string program_;
  RunnerGpu gpu_;
  ChildProcess working_, standby_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
