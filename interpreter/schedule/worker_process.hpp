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
  std::filesystem::path program;  ///< trl-worker
  std::filesystem::path log;      ///< the file for its stdout and stderr
  std::string secret;
  bool sandbox = true;
  int threads = 1;
  std::string device = "cpu";
  /// How long a cancelled worker may take to confirm before it is killed.
  std::chrono::milliseconds wait_limit{5000};
  /// The same of a stage that keeps checkpoints, which completes a step and writes one.
  std::chrono::milliseconds checkpoint_wait_limit{60000};
  /// Signals within this time are one wish to stop, since a shell and a supervisor may both pass it on. A
  /// later one ends a cancelled worker at once.
  std::chrono::milliseconds together{1000};
  /// Seconds between two checkpoints of a stage; 0: one after each step.
  int checkpoint_seconds = 60;
};

/// The program that the environment variable names, or the one of that name beside this program. Throws
/// UserError if there is none.
std::filesystem::path find_program(const std::string& name, const char* variable);

/// `$TRL_WORKER`, or trl-worker beside this program. Throws UserError if there is none.
std::filesystem::path find_worker();

/// A real worker: `trl-worker --protocol-fd N` at the other end of a socket pair (docs/interfaces.md, section
/// 3). It starts at the first stage. It has its own process group, so that Ctrl-C only reaches it through
/// this process, and it ends when this process does.
class WorkerProcess : public WorkerClient {
 public:
  WorkerProcess(WorkerOptions options, const Interrupt& interrupt);
  ~WorkerProcess() override;
  StageDone run(const WorkerRequest& request, const WorkerEvents& events) override;

 private:
  void start();
  void send(const nlohmann::json& message);
  /// One line, or nothing at the end of the input. Throws Interrupted if a cancelled stage exceeds its
  /// deadline.
  std::optional<std::string> receive(int id, std::chrono::milliseconds wait_limit);
  /// Ends a worker that broke the protocol.
  [[noreturn]] void broken(const std::string& what);
  /// Ends a worker that is gone, or about to be.
  [[noreturn]] void gone();
  std::string last_words() const;

  WorkerOptions options_;
  const Interrupt& interrupt_;
  ChildProcess child_;
  int last_id_ = 0;
  std::uintmax_t log_start_ = 0;
  bool cancelled_ = false;
  std::optional<int> signals_;  ///< the signals that came together with the one that cancelled the stage
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trl::interpreter
