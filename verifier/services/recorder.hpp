#pragma once
// The verifier's side of the recorder process and the compiler process.
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

/// The limits of one process that works for a candidate: the one that runs its wrapper, or the compiler for a
/// kernel.
struct CandidateLimits {
  std::int64_t seconds = 10;  ///< CPU seconds; in wall time the limit is three times as long
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  std::int64_t file_bytes = std::int64_t{16} << 20;
};

/// A service's answer to a request: its own message, and behind it the message of the child that carried out
/// the request.
struct ServiceAnswer {
  nlohmann::json head;  ///< an object
  std::string body;     ///< untrusted; empty where the child sent nothing
};

/// A confined process that is started on first use, and again after it died (zygote/service.py).
class ConfinedService {
 public:
  ConfinedService(const Installation& installation, bool sandbox, const std::string& script,
                  std::vector<std::string> options);

  /// Returns the answer to a request; none when the process died over it, was too slow, or sent something
  /// malformed, in which case it is restarted for the next request. Throws UserError when the process cannot
  /// be started at all, and Cancelled.
  ///
  /// While it works, the child may ask questions through the service; `asked` answers them.
  std::optional<ServiceAnswer> ask(nlohmann::json head, const std::string& body,
                                   std::chrono::milliseconds time, const std::function<bool()>& cancelled,
                                   const std::function<std::string(const std::string&)>& asked = {});

  /// Starts the process unless it runs. Throws as `ask` does.
  void ready(const std::function<bool()>& cancelled);

 private:
  void start(const std::function<bool()>& cancelled);
  std::optional<ServiceAnswer> read(std::chrono::steady_clock::time_point deadline,
                                    const std::function<bool()>& cancelled);

  std::vector<std::string> command_;
  ChildProcess child_;
  std::int64_t id_ = 0;
};

/// Turns a candidate's source into launch plans (docs/interfaces.md, 4).
class Recorder {
 public:
  Recorder(const Installation& installation, bool sandbox);

  /// Returns the recorder's answer without interpreting it: `ok` is a boolean, everything else is untrusted.
  /// `shapes` is [{"label", "inputs": [{"name", "dtype", "shape"}]}]. With a budget, the wrapper may use what
  /// is left of it, and its CPU time is subtracted.
  /// With `epilogue`, PyTorch may finish the kernels' work.
  nlohmann::json record(const Source& source, const nlohmann::json& shapes, const CandidateLimits& limits,
                        const std::function<bool()>& cancelled = {}, Budget* budget = nullptr,
                        bool epilogue = false);

  /// The output of trl-kernel-check for the latest recording: the only CUDA that its plans may launch.
  const CheckedCuda& checked() const { return checked_; }

  void ready(const std::function<bool()>& cancelled) {
    kernel_check_.ready();
    service_.ready(cancelled);
  }

  /// Has Clang check a launch plan's C++.
  std::optional<KernelCheck::Refusal> check_wrapper(const std::string& text,
                                                    const std::function<bool()>& cancelled) {
    return kernel_check_.check_wrapper(text, cancelled);
  }

 private:
  ConfinedService service_;
  KernelCheck kernel_check_;  // for candidates in CUDA
  CheckedCuda checked_;
};

/// The outcome of compiling one kernel for sm_90.
struct Compiled {
  bool ok = false;
  std::string reason;  ///< for a failure: compile_error, timeout or memory
  std::string message;
  std::string cubin;
  std::string name;                          ///< the kernel's name in the cubin
  std::map<std::string, std::string> names;  ///< names of all kernels of a CUDA text, by name expression
  unsigned threads = 0;                      ///< per block
  unsigned shared = 0;                       ///< bytes, dynamic
  int line = 0;            ///< the line of the kernel's text that the message refers to; 0: unknown
  double cpu_seconds = 0;  ///< of compiling, whichever candidate asked for it first
};

/// A cache of compiled kernels for several compilers; the oldest results are dropped when it becomes too
/// large.
class CompiledKernels {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{256} << 20;
  explicit CompiledKernels(std::size_t most_bytes = usual_bytes) : most_bytes_(most_bytes) {}

  /// Returns the outcome for a kernel: the cached one, or the one that another thread is computing, or that
  /// of `compile`. An exception of `compile` is passed on, and nothing is cached.
  Compiled get(const std::string& key, const std::function<Compiled()>& compile);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::optional<Compiled>> kernels_;  // none: another thread is compiling it
  std::deque<std::pair<std::string, std::size_t>> kept_;    // keys and sizes in bytes, the oldest first
  std::size_t bytes_ = 0, most_bytes_;
};

/// The target to which a kernel is compiled.
enum class CompileTo {
  cubin,
  portable_ptx,  ///< for compute capability 8.0, instead of a cubin
  /// No code, just whether it compiles. TTIR without inline assembly is only lowered by Triton: LLVM and
  /// ptxas would take half of the time, and have never refused what Triton generated (docs/decisions.md).
  verdict
};

/// Compiles TTIR or CUDA C++; equal kernels are compiled once.
class KernelCompiler {
 public:
  KernelCompiler(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> done);
  /// The limits are the same for any kernel and not the rest of a candidate's budget, since later candidates
  /// get the same result.
  Compiled compile(const PlanKernel& kernel, const std::function<bool()>& cancelled = {},
                   CompileTo to = CompileTo::cubin, const CandidateLimits& limits = {});
  void ready(const std::function<bool()>& cancelled) { service_.ready(cancelled); }

 private:
  ConfinedService service_;
  std::shared_ptr<CompiledKernels> done_;  // by SHA-256 of text and options
};

}  // namespace trl::runtime
