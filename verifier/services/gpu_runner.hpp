#pragma once
// The verifier's side of trl-runner, a process that replays and times launch plans on a GPU.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/support/child_process.hpp"
#include "verifier/inputs/challenge.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/services/recorder.hpp"
#include "verifier/timings.hpp"

namespace trl::runtime {

/// The settings with which a plan is timed.
struct TimingProtocol {
  int warmup = 10, trials = 50;
  double trim =
      0.1;  ///< the share of the sorted times that is dropped at each end before the mean is computed
  /// The time limit of all trials together, in milliseconds; 0: no limit. With a limit a slow candidate,
  /// which earns no reward for speed anyway, has fewer trials, but at least five.
  double budget_ms = 0;
};

/// Returns the trimmed mean: sorts the values, drops the share `trim` at each end, and computes the mean of
/// the rest. Nothing if there are no values.
std::optional<double> trimmed_mean(std::vector<double> values, double trim);

/// The result of replaying a plan on the GPU.
struct GpuReplay {
  /// The failure, if there was one. All other members are then empty.
  std::optional<ReplayFinding> finding;
  std::optional<ReplayFinding>
      damage;  ///< a finding about a store outside the buffers, if there was such a store
  /// The outputs of two runs, with different bytes (poisons) in uninitialised memory; then each different
  /// output of the timed runs.
  std::vector<std::vector<double>> outputs;
  std::vector<double> without_kernels;          ///< the output of the plan without the candidate's kernels
  std::vector<std::vector<double>> challenged;  ///< the output of the run with each challenge
  /// The time of each trial in microseconds. graph_us: the plan runs as one CUDA graph. stream_us: kernels
  /// are launched one by one.
  std::vector<double> graph_us, stream_us;
  Timings timings;  ///< time of the work on the runner, and of waiting for the GPU
};

/// A request to a runner: a plan, its cubins and its inputs. Requests are serialised, and answers
/// interpreted, while the caller doesn't occupy the GPU.
class GpuRequest {
 public:
  /// `kernels[i]` is kernel i; it isn't `ok` if the plan doesn't launch that kernel. `challenges` are changed
  /// inputs for some of the timed runs. Keeps references to the plan, kernels, inputs and challenges.
  GpuRequest(const Plan& plan, const std::vector<Compiled>& kernels, const std::vector<InputData>& inputs,
             const std::optional<TimingProtocol>& timing, const std::vector<Challenge>& challenges = {});
  /// A request without inputs, of these sizes in bytes: another process writes them to the GPU.
  GpuRequest(const Plan& plan, const std::vector<Compiled>& kernels,
             const std::vector<std::int64_t>& input_bytes);

 private:
  friend class GpuRunner;
  const std::vector<Compiled>& kernels_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<const std::byte>> challenges_;
  std::string head_;  // the request's JSON without its id
};

/// A runner's answer before it is interpreted.
struct GpuAnswer {
  std::optional<ReplayFinding> finding;
  nlohmann::json head;
  std::vector<std::vector<std::byte>> parts;

  /// Interprets the answer as the result of replaying `plan`.
  GpuReplay read(const Plan& plan) const;
};

/// The name and the memory of a runner's GPU, and the versions of its driver and of CUDA.
struct RunnerGpu {
  std::string name, driver, cuda;
  std::int64_t memory_bytes = 0;
};

/// The runner processes of one GPU: one that works, and a standby one that replaces it when it has to end.
/// Used by one thread at a time.
class GpuRunner {
 public:
  /// `program` is the path of trl-runner.
  explicit GpuRunner(std::string program);

  /// Starts the runners that aren't running yet. Throws UserError if the GPU can't be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  /// The GPU that was announced by the last runner to start. Its members are empty before a runner has
  /// started.
  const RunnerGpu& gpu() const { return gpu_; }

  /// Makes a runner replay the plan and, if the request says so, time it. If the runner has computed or
  /// waited for the GPU for `time` and gives no answer, ends it and returns a timeout as the finding.
  GpuAnswer ask(const GpuRequest& request, std::chrono::milliseconds time,
                const std::function<bool()>& cancelled = {});

  /// Begins a conversation about a request without inputs. Returns the runner's first answer, which says
  /// where the plan's memory is (docs/interfaces.md, 4); or the finding that ended the conversation.
  std::variant<nlohmann::json, ReplayFinding> begin(const GpuRequest& request, std::chrono::milliseconds time,
                                                    const std::function<bool()>& cancelled = {});
  /// Makes the runner carry out one more step of the conversation, and returns its answer, or the finding
  /// that ended the conversation.
  std::variant<nlohmann::json, ReplayFinding> go_on(const nlohmann::json& step,
                                                    std::chrono::milliseconds time,
                                                    const std::function<bool()>& cancelled = {});

 private:
  bool send(const GpuRequest& request);
  std::variant<nlohmann::json, ReplayFinding> heard(bool sent, std::chrono::milliseconds time,
                                                    const std::function<bool()>& cancelled);
  std::optional<GpuAnswer> attempt(const GpuRequest& request, std::chrono::milliseconds time,
                                   const std::function<bool()>& cancelled);
  struct Start {
    bool good = true;
    bool killed = false;  ///< whether a signal ended the runner before it announced its GPU
    std::string why = {};
  };
  Start start(ChildProcess& child, const std::function<bool()>& cancelled);

  std::string program_;
  RunnerGpu gpu_;
  ChildProcess working_, standby_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
