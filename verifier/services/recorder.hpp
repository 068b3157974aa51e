#pragma once
// The verifier's side of two service processes: the recorder, which runs a candidate's Python to record
// launch plans, and the compiler, which compiles kernels.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/support/child_process.hpp"
#include "verifier/answer/source.hpp"
#include "verifier/budget.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/services/installation.hpp"
#include "verifier/services/kernel_check.hpp"

namespace trl::runtime {

/// The limits of one process that works for a candidate: the process that runs its Python, or the process
/// that compiles a kernel.
struct CandidateLimits {
  std::int64_t seconds = 10;  ///< limit of CPU seconds
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  std::int64_t file_bytes = std::int64_t{16} << 20;
};

/// A service's answer to a request: the message of the service itself, `head`, and the message of the child
/// process that carried out the request, `body`.
struct ServiceAnswer {
  nlohmann::json head;  ///< a JSON object
  std::string body;     ///< untrusted; empty if the child sent nothing
};

/// A service process in trl-sandbox (zygote/service.py). It is started when it is first used, and restarted
/// if it has died.
class ConfinedService {
 public:
  ConfinedService(const Installation& installation, bool sandbox, const std::string& script,
                  std::vector<std::string> options);

  /// Sends a request, `head` and `body`, and returns the answer. Returns nothing if the process died,
  /// hangs, or sent a malformed answer; it is then restarted for the next request. Throws UserError if the
  /// process can't be started at all, and Cancelled.
  ///
  /// While the child works, it may send requests of its own through the service; `asked` is called to answer
  /// them.
  std::optional<ServiceAnswer> ask(nlohmann::json head, const std::string& body,
                                   const std::function<bool()>& cancelled,
                                   const std::function<std::string(const std::string&)>& asked = {});

  /// Starts the process unless it is running, without waiting until it is ready. Throws StartError.
  void launch();
  /// Starts the process unless it is running, and waits until it is ready. Throws as `ask` does.
  void ready(const std::function<bool()>& cancelled);

 private:
  void start(const std::function<bool()>& cancelled);
  std::optional<ServiceAnswer> read(const std::function<bool()>& cancelled);

  std::vector<std::string> command_;
  ChildProcess child_;
  bool greeted_ = false;  // whether the process has said that it is ready
  std::int64_t id_ = 0;
};

/// Records the launch plans of a candidate by running its source (docs/interfaces.md, 4).
class Recorder {
 public:
  Recorder(const Installation& installation, bool sandbox);

  /// Returns the recorder's answer without interpreting it: `ok` is a boolean, everything else is untrusted.
  /// `shapes` is [{"label", "inputs": [{"name", "dtype", "shape"}]}]. If `budget` isn't null, the candidate
  /// may use the rest of the budget, from which its CPU time is subtracted. `epilogue`: whether PyTorch may
  /// compute the last operations of the task (epilogue.hpp).
  nlohmann::json record(const Source& source, const nlohmann::json& shapes, const CandidateLimits& limits,
                        const std::function<bool()>& cancelled = {}, Budget* budget = nullptr,
                        bool epilogue = false);

  /// The CUDA kernels that trl-kernel-check has read during the latest recording. The plans of this recording
  /// may launch no other CUDA kernels.
  const CheckedCuda& checked() const { return checked_; }

  void launch() {
    service_.launch();
    kernel_check_.ready();
  }
  void ready(const std::function<bool()>& cancelled) {
    kernel_check_.ready();
    service_.ready(cancelled);
  }

  /// Has Clang check the C++ text of a launch plan (launch_wrapper.hpp).
  std::optional<KernelCheck::Refusal> check_wrapper(const std::string& text,
                                                    const std::function<bool()>& cancelled) {
    return kernel_check_.check_wrapper(text, cancelled);
  }

 private:
  ConfinedService service_;
  KernelCheck kernel_check_;  // checks candidates in CUDA
  CheckedCuda checked_;
};

/// The result of compiling one kernel.
struct Compiled {
  bool ok = false;
  std::string reason;  ///< reason of a failure: compile_error, timeout or memory
  std::string message;
  std::string cubin;
  std::string name;  ///< the kernel's name in the cubin
  std::map<std::string, std::string>
      names;               ///< the names in the cubin of all kernels of a CUDA text, by name expression
  unsigned threads = 0;    ///< number of threads of a block
  unsigned shared = 0;     ///< bytes of dynamic shared memory
  int line = 0;            ///< the line of the kernel's text that the message refers to; 0: unknown
  double cpu_seconds = 0;  ///< CPU seconds of the compilation, also if the result comes from the cache
};

/// A cache of compiled kernels, which several compilers may share. If it becomes too large, the oldest
/// results are dropped.
class CompiledKernels {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{256} << 20;
  explicit CompiledKernels(std::size_t most_bytes = usual_bytes) : most_bytes_(most_bytes) {}

  /// Returns the cached result for `key`. If there is none, calls `compile` and caches its result; if another
  /// thread is already compiling that kernel, waits for the result. An exception of `compile` is passed on,
  /// and nothing is cached.
  Compiled get(const std::string& key, const std::function<Compiled()>& compile);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::optional<Compiled>> kernels_;  // empty value: a thread is compiling the kernel
  std::deque<std::pair<std::string, std::size_t>> kept_;    // keys and sizes in bytes, the oldest first
  std::size_t bytes_ = 0, most_bytes_;
};

/// The target to which a kernel is compiled.
enum class CompileTo {
  cubin,
  portable_ptx,  ///< PTX for compute capability 8.0 and later, instead of a cubin
  /// Only checks whether the kernel compiles, without keeping code. TTIR without inline assembly is only
  /// lowered by Triton. LLVM and ptxas are left out: they would take half of the time, and have never refused
  /// code that Triton generated (docs/decisions.md).
  verdict
};

/// Compiles TTIR or CUDA C++; equal kernels are compiled once.
class KernelCompiler {
 public:
  KernelCompiler(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> done);
  /// Returns the result of compiling a kernel, possibly from the cache. `limits` must not depend on a
  /// candidate's remaining budget, since later candidates get the same cached result.
  Compiled compile(const PlanKernel& kernel, const std::function<bool()>& cancelled = {},
                   CompileTo to = CompileTo::cubin, const CandidateLimits& limits = {});
  void launch() { service_.launch(); }
  void ready(const std::function<bool()>& cancelled) { service_.ready(cancelled); }

 private:
  ConfinedService service_;
  std::shared_ptr<CompiledKernels> done_;  // the cache; its keys are the SHA-256 of text and options
};

}  // namespace trl::runtime
