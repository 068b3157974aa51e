#pragma once
// The recorder process and the compiler process, as the verifier sees them.
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

#include "ground/child_process.hpp"
#include "runtime/verify/answer/source.hpp"
#include "runtime/verify/budget.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/services/installation.hpp"
#include "runtime/verify/services/kernel_check.hpp"

namespace trl::runtime {

/// What one process may use that works for a candidate: its wrapper, and the compiler for each kernel.
struct CandidateLimits {
  std::int64_t seconds = 10;  ///< of CPU; the wall clock ends it after three times as long
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  std::int64_t file_bytes = std::int64_t{16} << 20;
};

/// What a service says of a request: its own words, and behind them those of the child that it was given to.
struct ServiceAnswer {
  nlohmann::json head;  ///< an object
  std::string body;     ///< to be read as a candidate's word; empty where the child said nothing
};

/// A confined process started when first asked and again after it died (zygote/service.py).
class ConfinedService {
 public:
  ConfinedService(const Installation& installation, bool sandbox, std::string script,
                  std::vector<std::string> options);

  /// The answer to a request; none when the process died over it, was too slow, or spoke nonsense: it is then
  /// started anew for the next. Throws UserError when the process cannot be started at all, and Cancelled.
  ///
  /// The child may ask on the way, through the service: `asked` gives the answer to a question of its.
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

/// Turns a candidate's source into launch plans (docs/seams.md, 4).
class Recorder {
 public:
  Recorder(const Installation& installation, bool sandbox);

  /// The recorder's answer as it came, to be judged as a candidate's word: `ok` is a boolean, nothing else is
  /// certain. `shapes` is [{"label", "inputs": [{"name", "dtype", "shape"}]}]. With a budget the wrapper has
  /// what is left of it, and what it computed is taken off.
  nlohmann::json record(const Source& source, const nlohmann::json& shapes, const CandidateLimits& limits,
                        const std::function<bool()>& cancelled = {}, Budget* budget = nullptr);

  /// What trl-kernel-check made for the latest recording: all CUDA that its plans may launch.
  const CheckedCuda& checked() const { return checked_; }

  void ready(const std::function<bool()>& cancelled) {
    kernel_check_.ready();
    service_.ready(cancelled);
  }

  /// Clang's word on a launch plan as C++.
  std::optional<KernelCheck::Refusal> check_wrapper(const std::string& text,
                                                    const std::function<bool()>& cancelled) {
    return kernel_check_.check_wrapper(text, cancelled);
  }

 private:
  ConfinedService service_;
  KernelCheck kernel_check_;  // of candidates in CUDA
  CheckedCuda checked_;
};

/// The outcome of compiling one kernel for sm_90.
struct Compiled {
  bool ok = false;
  std::string reason;  ///< of a failure: compile_error, timeout or memory
  std::string message;
  std::string cubin;
  std::string name;                          ///< of the kernel in the cubin
  std::map<std::string, std::string> names;  ///< of all of a CUDA text's kernels, by expression
  unsigned threads = 0;                      ///< of a block
  unsigned shared = 0;                       ///< bytes, dynamic
  int line = 0;                              ///< of the kernel's text that the message is about; 0: unknown
  double cpu_seconds = 0;                    ///< that it took, whoever asked first
};

/// What has been compiled, for several compilers at once; the oldest is forgotten where it takes too much.
class CompiledKernels {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{256} << 20;
  explicit CompiledKernels(std::size_t most_bytes = usual_bytes) : most_bytes_(most_bytes) {}

  /// The outcome for a kernel: what is known, or what another thread is finding out, or that of `compile`.
  /// What `compile` throws is passed on, and the kernel stays unknown.
  Compiled get(const std::string& key, const std::function<Compiled()>& compile);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::optional<Compiled>> kernels_;  // none: being compiled
  std::deque<std::pair<std::string, std::size_t>> kept_;    // keys and bytes, the oldest first
  std::size_t bytes_ = 0, most_bytes_;
};

/// What a kernel is compiled to.
enum class CompileTo {
  cubin,
  portable_ptx,  ///< for compute capability 8.0, in the cubin's place
  /// Nothing, but that it compiles. TTIR without assembly of its own is lowered by Triton alone: LLVM and
  /// ptxas take half of the time and refuse nothing that Triton wrote (docs/decisions.md).
  verdict
};

/// Compiles TTIR or CUDA C++; the same kernel once only.
class KernelCompiler {
 public:
  KernelCompiler(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> done);
  /// The limits are those of a kernel, not what is left to a candidate: the outcome is the next one's, too.
  Compiled compile(const PlanKernel& kernel, const std::function<bool()>& cancelled = {},
                   CompileTo to = CompileTo::cubin, const CandidateLimits& limits = {});
  void ready(const std::function<bool()>& cancelled) { service_.ready(cancelled); }

 private:
  ConfinedService service_;
  std::shared_ptr<CompiledKernels> done_;  // by SHA-256 of text and options
};

}  // namespace trl::runtime
