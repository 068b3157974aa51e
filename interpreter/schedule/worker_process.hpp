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
  /// Connects a worker that another program holds, in place of starting `program`. Called by the thread that
  /// runs a stage.
  std::function<ByteChannel()> connect{};
  /// How long a worker may send nothing before it counts as stuck, and how long one that has just been
  /// started may, which has libraries to load.
  std::chrono::milliseconds silence_limit{30000}, start_limit{55000};
};

/// The path of a program: the value of the environment variable `variable`, or the file `name` in the folder
/// of this program. Throws UserError if it doesn't exist.
std::filesystem::path find_program(const std::string& name, const char* variable);

/// Calls `start`, which starts children, on a thread that lives as long as this process: a child that dies
/// with us dies with the thread that started it.
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
  /// Asks an idle worker to end, without waiting for that as the destructor does. No stage may follow.
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

/// Runs one stage on several workers together, the first of which is rank 0, whose events and result count;
/// on one worker as its own `run` does. If one dies, fails or sends nothing for its `silence_limit`, all of
/// the group are killed. The group's meeting folder and the outputs of the other
/// ranks are made beside `request.output` and removed at the end. Throws as WorkerClient::run.
StageDone run_together(std::span<WorkerProcess* const> workers, const WorkerRequest& request,
                       const WorkerEvents& events);

}  // namespace trl::interpreter
