#pragma once
// trl-executor as the verifier sees it: a confined process that parses and executes candidates' TTIR.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ground/byte_channel.hpp"
#include "ground/child_process.hpp"
#include "runtime/verify/replay/replay.hpp"
#include "runtime/verify/services/installation.hpp"

namespace trl::runtime {

/// Why a candidate's kernels can't be executed.
struct KernelError {
  std::string reason;  ///< unsupported; crashed or timeout when the process ended over them
  std::string message;
  std::size_t kernel = 0;  ///< which of them
  int line = 0;            ///< of the kernel's text; 0: unknown
};

/// Starts the process when first asked, and again after it ended. It forks a child for each candidate, which
/// alone reads what the candidate wrote: one that crashes, hangs or is taken over costs that candidate, and
/// what it says is read as a candidate's word. Expected values never reach it. Used by one thread at a time.
class ExecutorProcess {
 public:
  /// What a candidate may use.
  struct Budget {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< of its child
    std::chrono::milliseconds time{60'000};               ///< of an answer, besides its operations' time
  };

  ExecutorProcess(const Installation& installation, bool sandbox)
      : ExecutorProcess(installation, sandbox, {}) {}
  ExecutorProcess(const Installation& installation, bool sandbox, const Budget& budget);

  /// Starts the process unless it runs. Throws UserError when it cannot be started, and Cancelled.
  void ready(const std::function<bool()>& cancelled = {});

  /// Turns to a candidate, of which these are the kernels that its plans launch: texts of TTIR, empty where
  /// none is launched. Nothing of the candidate before stays, unless its texts are the same ones. None when
  /// all can be executed. Throws as `ready` does.
  std::optional<KernelError> parse(const std::vector<std::string>& kernels,
                                   const std::function<bool()>& cancelled = {});

  /// Replays a plan with the kernels parsed last, as `replay` of replay.hpp does. When the process ends over
  /// it, is late or speaks nonsense, the one finding is `crashed` or `timeout`, not of memory alone, and no
  /// output is written. Throws as `ready` does.
  ReplayResult replay(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options);

  /// Ends the candidate's child.
  void end();

  /// What candidates' children have computed, as they say.
  double cpu_seconds() const { return cpu_seconds_; }

 private:
  enum class Ended { no, crashed, late };

  bool begin(const std::function<bool()>& cancelled);
  Ended ask_to_parse(std::optional<KernelError>& error, const std::function<bool()>& cancelled);
  Ended ask_to_replay(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options,
                      std::optional<ReplayResult>& result);
  Ended lost(const Patience& patience, const std::function<bool()>& cancelled);
  void note_cpu(const nlohmann::json& answer);
  Ended attempt(const std::function<Ended()>& ask, const std::function<bool()>& cancelled);

  std::string program_;
  std::vector<std::string> command_;
  Budget budget_;
  ChildProcess server_;
  ByteChannel candidate_;
  std::vector<std::string> kernels_;
  bool parsed_ = false;  // the present child knows kernels_
  std::int64_t id_ = 0;
  double cpu_seconds_ = 0, of_child_ = 0;  // of all, and of the present one
};

}  // namespace trl::runtime
