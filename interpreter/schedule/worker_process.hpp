#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/support/child_process.hpp"
#include "interpreter/schedule/cancellation.hpp"
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
  /// Where the worker works, for messages: "GPU 1". Empty if the run has one worker only.
  std::string place{};
  /// Changes of the worker's environment, as in ChildOptions.
  std::vector<std::string> environment{};
  /// Returns a connection to a worker that another program runs; it is then used in place of starting
  /// `program`. Called by the thread that runs a stage.
  std::function<ByteChannel()> connect{};
  /// The longest time for which a worker may send nothing before it counts as stuck. `start_limit` holds for
  /// a worker that has just been started, since it has libraries to load.
  std::chrono::milliseconds silence_limit{30000}, start_limit{55000};
};

/// The path of a program: the value of the environment variable `variable`, or the file `name` in the folder
/// of this program. Throws UserError if it doesn't exist.
std::filesystem::path find_program(const std::string& name, const char* variable);

/// Calls `start`, which starts child processes, on a thread that lives as long as this process. A child with
/// `ChildOptions::dies_with_us` dies with the thread that started it.
void start_for_good(const std::function<void()>& start);

/// The path of the worker: `$TRL_WORKER`, or trl-worker in the folder of this program. Throws UserError if it
/// doesn't exist.
std::filesystem::path find_worker();

/// A worker in its own process, `trl-worker --protocol-fd N`, connected by a socket pair (docs/interfaces.md,
/// section 3). The process is started for the first stage. It has its own process group, so that Ctrl-C only
/// reaches it through this process, and it ends when this process ends. Used by one thread at a time.
class WorkerProcess : public WorkerClient {
 public:
  WorkerProcess(WorkerOptions options, const Cancellation& cancellation);
  ~WorkerProcess() override;
  StageDone run(const WorkerRequest& request, const WorkerEvents& events) override;
  /// Asks an idle worker to end, and doesn't wait until it has ended (the destructor does). No stage may be
  /// run afterwards.
  void dismiss();

 private:
  friend class Gang;
  void start();
  /// Sends a line. Returns false if the worker has ended, or doesn't take it before the limit.
  bool send(const nlohmann::json& message, const WaitLimit& wait_limit = {}) {
    return child_.write_line(message.dump(), wait_limit);
  }
  std::string last_words() const;

  WorkerOptions options_;
  const Cancellation& cancellation_;
  ChildProcess child_;
  int last_id_ = 0;
  std::uintmax_t log_start_ = 0;
  bool heard_ = false;  ///< whether this process has sent anything
};

/// Runs one stage on several workers together. The first worker is rank 0: its events and its result are
/// passed on. With one worker, does the same as its `run`. If a worker dies, fails or sends nothing for its
/// `silence_limit`, all workers of the group are killed. The folder in which the workers meet, and the
/// outputs of the other ranks, are made beside `request.output` and removed at the end. Throws as
/// WorkerClient::run does.
StageDone run_together(std::span<WorkerProcess* const> workers, const WorkerRequest& request,
                       const WorkerEvents& events);

}  // namespace trl::interpreter
