#pragma once
// Gives access to a GPU. Candidates and references take turns, so that the GPU runs nothing else while one of
// them is timed.
#include <atomic>
#include <mutex>
#include <utility>

#include "base/support/random.hpp"
#include "verifier/services/gpu_runner.hpp"
#include "verifier/services/shared_plan.hpp"
#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The times of a task's PyTorch module on the GPU, in microseconds.
struct ReferenceTime {
  double graph_us = 0;   ///< eager operations as one CUDA graph; speed-ups are relative to this time
  double python_us = 0;  ///< eager operations, called from Python
  std::optional<double> compiled_us;  ///< torch.compile's code as one CUDA graph, if requested
};

/// A plan that was judged where its tensors are too large to pass through the host.
struct JudgedOnGpu {
  std::optional<ReplayFinding> finding;  ///< the failure, if there was one
  std::optional<ReplayFinding> damage;   ///< a store outside the buffers, if there was one
  std::string left;                      ///< why the plan couldn't be judged; empty if it was
  std::string reference;  ///< the precision of the values that the outputs were compared with: "f64" or "f32"
  std::int64_t compared = 0;                ///< the number of values that were compared in each run
  std::vector<double> graph_us, stream_us;  ///< as in GpuReplay
  ReferenceTime time;                       ///< the time of the task's module, if the plan was timed
  Timings timings;
};

class ExclusiveGpu {
 public:
  explicit ExclusiveGpu(const Installation& installation);

  /// Starts the processes that use the GPU. Throws UserError if the GPU can't be used, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  /// Returns the GPU's name and versions; empty before `ready`. Waits until no candidate uses the GPU.
  RunnerGpu gpu() {
    const std::lock_guard lock(mutex_);
    return runner_.gpu();
  }

  /// The GPU's memory in bytes. Calls `ready` if it hasn't been called before.
  std::int64_t memory_bytes(const std::function<bool()>& cancelled) {
    if (memory_bytes_ == 0) ready(cancelled);
    return memory_bytes_;
  }

  GpuReplay replay(const Plan& plan, const std::vector<Compiled>& kernels,
                   const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                   const std::function<bool()>& cancelled = {});

  /// The reference with which a candidate is compared.
  struct Against {
    const Task& task;
    const Variation& variation;
    bool compiled = false;    ///< whether to time torch.compile's code, too
    bool own_module = false;  ///< whether the task's module may run; otherwise its expression is computed
    const std::vector<Challenge>& challenges;  ///< changed inputs for some of the plan's timed runs
  };
  /// Judges a plan on the GPU. Inputs are drawn there from `key`, as draw_inputs draws them, and never leave
  /// the GPU. There are two runs with different poison; a run without the candidate's kernels, which must not
  /// give the outputs; and the timed runs, if `timing` is set, of which each distinct output is judged. The
  /// outputs are compared with the values of the task's module in f64, or in f32 if the GPU's memory is too
  /// small for f64. docs/interfaces.md, 4, has the tolerance. Throws UserError if the module doesn't run, and
  /// Cancelled.
  JudgedOnGpu judge(const Plan& plan, const std::vector<Compiled>& kernels, const Against& against,
                    RandomKey key, Precision precision, const std::optional<TimingProtocol>& timing,
                    const std::function<bool()>& cancelled = {});
  /// Judges a plan by trials of KernelBench's protocol. Of the result, only `finding`, `left` and `timings`
  /// are set. `protocol` is a request to kernelbench/reference.py, which names the module and the seed.
  JudgedOnGpu judge_by_trials(const Plan& plan, const std::vector<Compiled>& kernels, const Against& against,
                              const nlohmann::json& protocol, int trials,
                              const std::function<bool()>& cancelled = {});
  /// Replays and times a plan. If the plan didn't fail, then times the task's reference by the same protocol.
  /// Nothing runs on the GPU in between, so that it is in the same state for both. Throws UserError if the
  /// reference doesn't run.
  std::pair<GpuReplay, ReferenceTime> compare(const Plan& plan, const std::vector<Compiled>& kernels,
                                              const std::vector<InputData>& inputs,
                                              const TimingProtocol& timing, const Against& against,
                                              const std::function<bool()>& cancelled = {});

 private:
  std::unique_lock<std::mutex> take_turn(Timings& timings);
  SharedPlan::Ask asking(const Task& task, const std::function<bool()>& cancelled);
  void start_baseline(const std::function<bool()>& cancelled);
  /// Sends a request to the process with the task's module and returns its answer. If that fails, throws
  /// UserError with a message that the reference of `task` can't be `done`: the word completes the sentence,
  /// as "timed".
  nlohmann::json ask_baseline(const std::string& request, const std::string& task, const char* done,
                              const std::function<bool()>& cancelled);
  ReferenceTime time_reference(const std::string& request, const std::string& task, double trim,
                               const std::function<bool()>& cancelled);

  std::mutex mutex_;
  std::atomic<std::int64_t> memory_bytes_ = 0;
  GpuRunner runner_;
  std::vector<std::string> baseline_command_;
  ChildProcess baseline_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
