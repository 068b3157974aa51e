#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "base/support/child_process.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/worker_client.hpp"

namespace trl::interpreter {

struct WorkerOptions {
  std::filesystem::path program;  ///< the path of trl-worker
  std::filesystem::path log;      ///< the file for the worker's standard output and standard error
  std::string secret;
  bool sandbox = true;
  int threads = 1;
  std::string device = "cpu";
  /// The time in which a cancelled worker must confirm before it is killed.
  std::chrono::milliseconds wait_limit{5000};
  /// Like `wait_limit`, for a stage with checkpoints: after cancellation it completes a step and writes a
  /// checkpoint.
  std::chrono::milliseconds checkpoint_wait_limit{60000};
  /// Signals within this time after a cancellation count as one, since a shell and a supervisor may both pass
  /// on the same interruption. A later signal kills the cancelled worker at once.
  std::chrono::milliseconds together{1000};
  /// The seconds between two checkpoints of a stage; 0 means a checkpoint after each step.
  int checkpoint_seconds = 60;
};

/// The path of a program: the value of the environment variable `variable`, or the file `name` in the folder
/// of this program. Throws UserError if it doesn't exist.
std::filesystem::path find_program(const std::string& name, const char* variable);

/// The path of the worker: `$TRL_WORKER`, or trl-worker in the folder of this program. Throws UserError if it
/// doesn't exist.
std::filesystem::path find_worker();

/// A worker in its own process, `trl-worker --protocol-fd N`, connected by a socket pair (docs/interfaces.md,
/// section 3). The process is started for the first stage. It has its own process group, so that Ctrl-C only
/// reaches it through this process, and it ends when this process ends.
class WorkerProcess : public WorkerClient {
 public:
  WorkerProcess(WorkerOptions options, const Interrupt& interrupt);
  ~WorkerProcess() override;
  StageDone run(const WorkerRequest& request, const WorkerEvents& events) override;

 private:
  void start();
  void send(const nlohmann::json& message);
  /// Receives one line from the worker; nothing at the end of its output. Throws Interrupted if a cancelled
  /// stage exceeds its deadline.
  std::optional<std::string> receive(int id, std::chrono::milliseconds wait_limit);
  /// Stops a worker that violated the protocol, and throws WorkerCrashed.
  [[noreturn]] void broken(const std::string& what);
  /// Waits for the end of a worker that has closed its connection, and throws WorkerCrashed.
  [[noreturn]] void gone();
  std::string last_words() const;

  WorkerOptions options_;
  const Interrupt& interrupt_;
  ChildProcess child_;
  int last_id_ = 0;
  std::uintmax_t log_start_ = 0;
  bool cancelled_ = false;
  std::optional<int> signals_;  ///< the number of signals that count as the cancellation of the stage
                                ///< (`together`); nothing before that time is over
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trl::interpreter
