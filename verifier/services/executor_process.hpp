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

/// Why a candidate's kernels can't be executed.
struct KernelError {
  std::string reason;  ///< "unsupported"; "crashed" or "timeout" when the process ended over the kernels
  std::string message;
  std::size_t kernel = 0;  ///< the kernel's index
  int line = 0;            ///< in the kernel's text; 0: unknown
};

/// Starts the process on first use, and again after it ended. It forks a child for each candidate, and that
/// child alone reads the candidate's text. A candidate that crashes, hangs or takes over its child harms
/// itself alone, and the child's answers are as untrusted as the candidate. Expected values never reach the
/// process. Used by one thread at a time.
class ExecutorProcess {
 public:
  /// The limits of a candidate.
  struct Budget {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< of its child
    std::chrono::milliseconds time{60'000};  ///< for an answer, in addition to the time of its operations
  };

  ExecutorProcess(const Installation& installation, bool sandbox)
      : ExecutorProcess(installation, sandbox, {}) {}
  ExecutorProcess(const Installation& installation, bool sandbox, const Budget& budget);

  /// Starts the process unless it runs. Throws UserError when it cannot be started, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});

  /// Turns to another candidate, whose plans launch these kernels: texts of TTIR, empty for kernels that
  /// aren't launched. State of the previous candidate is dropped unless its texts are equal. Returns none
  /// when all kernels can be executed. Throws as `ready` does.
  std::optional<KernelError> parse(const std::vector<std::string>& kernels,
                                   const std::function<bool()>& cancelled = {});

  /// Replays a plan with the kernels parsed last, as `replay` of replay.hpp does. When the process ends over
  /// it, is late or sends something malformed, the only finding is `crashed` or `timeout`, which concerns
  /// more than memory, and no output is written. Throws as `ready` does.
  ReplayResult replay(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options);

  /// Ends the candidate's child.
  void end();

  /// CPU seconds of the candidates' children, as the children report them.
  double cpu_seconds() const { return cpu_seconds_; }

 private:
  enum class Ended { no, crashed, late };

  bool begin(const std::function<bool()>& cancelled);
  Ended ask_to_parse(std::optional<KernelError>& error, const std::function<bool()>& cancelled);
  Ended ask_to_replay(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options,
                      std::optional<ReplayResult>& result);
  Ended lost(const WaitLimit& wait_limit, const std::function<bool()>& cancelled);
  void note_cpu(const nlohmann::json& answer);
  Ended attempt(const std::function<Ended()>& ask, const std::function<bool()>& cancelled);

  std::string program_;
  std::vector<std::string> command_;
  Budget budget_;
  ChildProcess server_;
  ByteChannel candidate_;
  std::vector<std::string> kernels_;
  bool parsed_ = false;  // whether the present child has parsed kernels_
  std::int64_t id_ = 0;
  double cpu_seconds_ = 0, of_child_ = 0;  // of all, and of the present one
};

}  // namespace trl::runtime
