#pragma once
// The recorder process and the compiler process, as the verifier sees them.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/verify/child_process.hpp"
#include "runtime/verify/installation.hpp"
#include "runtime/verify/kernel_check.hpp"
#include "runtime/verify/plan.hpp"
#include "runtime/verify/source.hpp"

namespace trl::runtime {

/// What one candidate may use while its wrapper runs.
struct CandidateLimits {
  std::int64_t seconds = 10;  ///< of CPU; the wall clock ends it after three times as long
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  std::int64_t file_bytes = std::int64_t{16} << 20;
};

/// A confined process started when first asked and again after it died.
class ConfinedService {
 public:
  ConfinedService(const Installation& installation, bool sandbox, std::string script,
                  std::vector<std::string> options);

  /// The answer to a request; null when the process died over it, was too slow, or spoke nonsense: it is then
  /// started anew for the next. Throws StageError when the process cannot be started at all, and Cancelled.
  ///
  /// The process may ask back, any number of times, by a line {"id", "compile": …}: `compiled` gives the line
  /// that answers it.
  nlohmann::json ask(nlohmann::json request, std::chrono::milliseconds time,
                     const std::function<bool()>& cancelled,
                     const std::function<nlohmann::json(const nlohmann::json&)>& compiled = {});

  /// Starts the process unless it runs. Throws as `ask` does.
  void ready(const std::function<bool()>& cancelled);

 private:
  void start(const std::function<bool()>& cancelled);

  std::vector<std::string> command_;
  ChildProcess child_;
  std::int64_t id_ = 0;
};

/// Turns a candidate's source into launch plans (docs/seams.md, 4).
class Recorder {
 public:
  Recorder(const Installation& installation, bool sandbox);

  /// The recorder's answer as it came, to be judged as a candidate's word: `ok` is a boolean, nothing else is
  /// certain. `shapes` is [{"label", "inputs": [{"name", "dtype", "shape"}]}].
  nlohmann::json record(const Source& source, const nlohmann::json& shapes, const CandidateLimits& limits,
                        const std::function<bool()>& cancelled = {});
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
};

/// The outcome of compiling one kernel for sm_90.
struct Compiled {
  bool ok = false;
  std::string message;
  std::string cubin;
  std::string name;      ///< of the kernel in the cubin
  unsigned threads = 0;  ///< of a block
  unsigned shared = 0;   ///< bytes, dynamic
  int line = 0;          ///< of the kernel's text that the message is about; 0: unknown
};

/// What has been compiled, for several compilers at once.
class CompiledKernels {
 public:
  /// The outcome for a kernel: what is known, or what another thread is finding out, or that of `compile`.
  /// What `compile` throws is passed on, and the kernel stays unknown.
  Compiled get(const std::string& key, const std::function<Compiled()>& compile);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::optional<Compiled>> kernels_;  // none: being compiled
};

/// Compiles TTIR or CUDA C++ to a cubin; the same kernel once only.
class KernelCompiler {
 public:
  KernelCompiler(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> done);
  /// `portable`: PTX for compute capability 8.0 in the cubin's place.
  Compiled compile(const PlanKernel& kernel, const std::function<bool()>& cancelled = {},
                   bool portable = false);
  void ready(const std::function<bool()>& cancelled) { service_.ready(cancelled); }

 private:
  ConfinedService service_;
  std::shared_ptr<CompiledKernels> done_;  // by SHA-256 of text and options
};

}  // namespace trl::runtime
