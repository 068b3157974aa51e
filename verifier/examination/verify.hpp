#pragma once
// Reaches one candidate's verdict: it is recorded, committed, replayed on the executor, compared, compiled,
// and timed by a model or on a GPU.
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

/// One worker slot of verification, with processes of its own. Used by one thread at a time.
class Verifier {
 public:
  /// Verifiers may share `compiled`, their cache of compiled kernels.
  Verifier(const Installation& installation, bool sandbox,
           std::shared_ptr<CompiledKernels> compiled = std::make_shared<CompiledKernels>());

  /// Starts the processes that don't run yet, so that the first verdict doesn't wait for them (seconds).
  void ready(const std::function<bool()>& cancelled = {});

  /// Sets the GPU on which candidates are replayed and timed if the protocol asks for it. Worker slots share
  /// it.
  void set_gpu(std::shared_ptr<ExclusiveGpu> gpu) { gpu_ = std::move(gpu); }

  /// The compiler of this slot's kernels.
  KernelCompiler& compiler() { return compiler_; }

  /// Sets the function that is called at each launch for the number of threads that it may use; 1 unless set.
  /// Verdicts don't depend on it.
  void set_threads(std::function<int()> threads) { threads_ = std::move(threads); }

  /// Returns the verdict on an answer. Apart from time limits, it depends on (task, answer, protocol, secret)
  /// alone. Throws UserError if the machine, not the candidate, fails, and Cancelled once `cancelled` returns
  /// true.
  Verdict verify(const Task& task, const std::string& answer, const Protocol& protocol,
                 const std::string& secret, const std::function<bool()>& cancelled = {});

  /// Returns the verdict with each step and the committed plan.
  Examined examine(const Task& task, const std::string& answer, const Protocol& protocol,
                   const std::string& secret, const std::function<bool()>& cancelled = {});

  /// Returns the verdict on an earlier recording, possibly made by somebody else. No recorder and no code of
  /// the candidate runs.
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
  std::shared_ptr<ExclusiveGpu> gpu_;
};

}  // namespace trl::runtime
