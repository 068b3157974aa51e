#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "ground/child_process.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/worker_client.hpp"

namespace trl::interpreter {

struct WorkerOptions {
  std::filesystem::path program;  ///< trl-worker
  std::filesystem::path log;      ///< takes its stdout and stderr
  std::string secret;
  bool sandbox = true;
  int threads = 1;
  std::string device = "cpu";
  /// How long a cancelled worker may take to say so before it is killed.
  std::chrono::milliseconds patience{5000};
};

/// What the environment variable names, or the program of that name beside this one. Throws UserError when
/// there is none.
std::filesystem::path find_program(const std::string& name, const char* variable);

/// `$TRL_WORKER`, or trl-worker beside this program. Throws UserError when there is none.
std::filesystem::path find_worker();

/// A real worker: `trl-worker --protocol-fd N` at the other end of a socket pair (docs/seams.md, 3). Started
/// at the first stage; its own process group, so that Ctrl-C reaches it only through us; it dies with us.
class WorkerProcess : public WorkerClient {
 public:
  WorkerProcess(WorkerOptions options, const Interrupt& interrupt);
  ~WorkerProcess() override;
  nlohmann::json run(const WorkerRequest& request, const WorkerEvents& events) override;

 private:
  void start();
  void send(const nlohmann::json& message);
  /// One line, or nothing at the end of file. Throws Interrupted when the deadline of a cancelled stage has
  /// passed.
  std::optional<std::string> receive(int id);
  /// Ends a worker that has done what only a broken one does.
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
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trl::interpreter
