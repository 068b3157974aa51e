#pragma once
// Verifies candidates: records each candidate's launch plans and fixes them by a hash, replays them on the
// executor, compares the outputs with the expected values, compiles the kernels, and times them by a model or
// on a GPU.
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "verifier/examination/protocol.hpp"
#include "verifier/examination/verdict.hpp"
#include "verifier/services/exclusive_gpu.hpp"
#include "verifier/services/executor_process.hpp"
#include "verifier/services/installation.hpp"
#include "verifier/services/module_references.hpp"
#include "verifier/services/recorder.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

struct Services;

/// Verifies one candidate after another, with service processes of its own. Used by one thread at a time.
class Verifier {
 public:
  /// `compiled` is a cache of compiled kernels, which several verifiers may share.
  Verifier(const Installation& installation, bool sandbox,
           std::shared_ptr<CompiledKernels> compiled = std::make_shared<CompiledKernels>());

  /// Starts the processes that aren't running yet, all at once and without waiting until they are ready.
  void launch();

  /// Starts the processes that aren't running yet, and waits until they are ready. This takes seconds, for
  /// which the first verdict would otherwise wait.
  void ready(const std::function<bool()>& cancelled = {});

  /// Sets the GPU on which candidates are replayed and timed, if the protocol requires a GPU. Several
  /// verifiers may share it.
  void set_gpu(std::shared_ptr<ExclusiveGpu> gpu) { gpu_ = std::move(gpu); }

  /// The compiler that this verifier uses.
  KernelCompiler& compiler() { return compiler_; }

  /// Sets whether the PyTorch modules of tasks (KernelBench's) are the user's own. Only then may they run
  /// outside of the sandbox. The default is false, since the modules in a store may come from anybody.
  void set_own_modules(bool own) { own_modules_ = own; }

  /// Sets the function that is called at each launch and returns the number of threads that the launch may
  /// use. Without such a function the number is 1. Verdicts don't depend on it.
  void set_threads(std::function<int()> threads) { threads_ = std::move(threads); }

  /// Returns the verdict on an answer. Apart from time limits, the verdict depends only on the task, answer,
  /// protocol and secret. Throws UserError for a failure of the machine, not of the candidate, and Cancelled
  /// once `cancelled` returns true.
  Verdict verify(const Task& task, const std::string& answer, const Protocol& protocol,
                 const std::string& secret, const std::function<bool()>& cancelled = {});

  /// Like `verify`, but also returns the steps and the recorded plans.
  Examined examine(const Task& task, const std::string& answer, const Protocol& protocol,
                   const std::string& secret, const std::function<bool()>& cancelled = {});

  /// Like `examine`, for a verdict that is needed by `deadline`. If there is no verdict by then, the result
  /// is a failure with the reason `timeout` at the first stage that wasn't passed; its message names the work
  /// that took the time. The candidate's own processes get less time than is left until the deadline, so that
  /// they end before the verifier has to stop its services. Returns at most a fraction of a second late,
  /// except while the reference is being computed, which can't be interrupted.
  Examined examine_by(std::chrono::steady_clock::time_point deadline, const Task& task,
                      const std::string& answer, const Protocol& protocol, const std::string& secret,
                      const std::function<bool()>& cancelled = {});

  /// Like `examine`, but for a recording that was made earlier, possibly by somebody else. Doesn't run the
  /// recorder or any code of the candidate.
  Examined examine_recorded(const Task& task, const nlohmann::json& recorded, const Protocol& protocol,
                            const std::string& secret, const std::function<bool()>& cancelled = {});

 private:
  void require_gpu(const Protocol& protocol) const;
  Services services();

  Recorder recorder_;
  ExecutorProcess executor_;
  KernelCompiler compiler_;
  std::function<int()> threads_;
  std::shared_ptr<ModuleReferences> references_;
  bool sandbox_, own_modules_ = false;
  std::shared_ptr<ExclusiveGpu> gpu_;
};

}  // namespace trl::runtime
