#pragma once
// The verifier's side of trl-executor, a confined process that parses and executes candidates' TTIR.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/support/byte_channel.hpp"
#include "base/support/child_process.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/services/installation.hpp"

namespace trl::runtime {

/// The reason why a candidate's kernels can't be executed.
struct KernelError {
  std::string
      reason;  ///< "unsupported"; or "crashed" or "timeout" if the process failed while it parsed the kernels
  std::string message;
  std::size_t kernel = 0;  ///< index of the kernel
  int line = 0;            ///< the line in the kernel's text; 0: unknown
};

/// Runs trl-executor. The process is started when it is first used, and restarted if it has ended. It forks a
/// child for each candidate, and only that child reads the candidate's kernels. So a candidate that crashes,
/// hangs or takes over its child harms only itself. The child's answers aren't trusted, and expected values
/// are never sent to the process. Used by one thread at a time.
class ExecutorProcess {
 public:
  /// The limits of a candidate.
  struct Budget {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< memory of its child process
    /// The limit of time for an answer: on the seconds for which the processes sleep, and on the CPU time
    /// that they use outside of counted operations.
    std::chrono::milliseconds time{60'000};
  };

  ExecutorProcess(const Installation& installation, bool sandbox)
      : ExecutorProcess(installation, sandbox, {}) {}
  ExecutorProcess(const Installation& installation, bool sandbox, const Budget& budget);

  /// Starts the process unless it runs. Throws UserError when it cannot be started, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});
  /// Starts the server unless it is running, without waiting until it is ready. Throws UserError.
  void launch();

  /// Prepares for another candidate, whose plans launch these kernels: texts of TTIR, empty for kernels that
  /// aren't launched. The state of the previous candidate is dropped unless its texts are equal. Returns
  /// nothing if all kernels can be executed, otherwise the reason why a kernel can't be executed. Throws as
  /// `ready` does.
  std::optional<KernelError> parse(const std::vector<std::string>& kernels,
                                   const std::function<bool()>& cancelled = {});

  /// Replays a plan with the kernels that were parsed last, as `replay` of replay.hpp does. If the process
  /// ends, exceeds its time or sends a malformed answer, the result has the single finding `crashed` or
  /// `timeout` (not a memory finding) and no written output. Throws as `ready` does.
  ReplayResult replay(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options);

  /// Ends the child process of the present candidate.
  void end();

  /// The CPU seconds of all child processes so far, as reported by the children.
  double cpu_seconds() const { return cpu_seconds_; }
  /// The seconds in which all processes slept so far, while an answer was awaited.
  double asleep_seconds() const { return asleep_seconds_; }

 private:
  enum class Ended { no, crashed, late };

  bool begin(const std::function<bool()>& cancelled);
  Ended ask_to_parse(std::optional<KernelError>& error, const std::function<bool()>& cancelled);
  Ended ask_to_replay(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options,
                      std::optional<ReplayResult>& result);
  Ended lost(bool late, const std::function<bool()>& cancelled);
  void note_cpu(const nlohmann::json& answer);
  Ended attempt(const std::function<Ended()>& ask, const std::function<bool()>& cancelled);

  std::string program_;
  std::vector<std::string> command_;
  Budget budget_;
  ChildProcess server_;
  bool greeted_ = false;  // whether the server has said that it is ready
  ByteChannel candidate_;
  std::vector<std::string> kernels_;
  bool parsed_ = false;  // whether the present child has parsed kernels_
  std::int64_t id_ = 0;
  double cpu_seconds_ = 0, of_child_ = 0;  // of all children, and of the present child
  double asleep_seconds_ = 0;
};

}  // namespace trl::runtime
