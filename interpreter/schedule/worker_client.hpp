// The interface to the process that runs stages. Tests replace it with a fake.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/contract/endpoint.hpp"
#include "base/contract/made_on.hpp"

namespace trl::interpreter {

/// The checkpoints of a training stage, from which it continues after an interruption.
struct Checkpoint {
  std::filesystem::path folder;
  std::string key;  ///< the key of the stage
};

/// A worker's part in a stage that several workers carry out together. Rank 0 writes the result.
struct Group {
  int rank = 0, size = 1;
  std::filesystem::path meeting;  ///< an empty folder, in which the ranks find each other
};

struct WorkerRequest {
  std::string stage;
  nlohmann::json spec;
  std::map<std::string, std::filesystem::path> inputs;
  std::filesystem::path output;
  std::optional<Checkpoint> checkpoint = {};
  /// The server that the stage asks; nothing if it asks none.
  std::optional<contract::Endpoint> endpoint = {};
  /// The worker's group; nothing if it works alone.
  std::optional<Group> group = {};
};

/// A worker's message that a stage is finished.
struct StageDone {
  nlohmann::json summary;
  std::optional<contract::MadeOn> made_on;  ///< the worker's machine; nothing if the worker doesn't report it
};

/// A piece of text of an answer that is being sampled. `finish` is "stop" or "length" in the last piece of an
/// answer, and empty in all earlier pieces.
struct AnswerPiece {
  std::size_t prompt = 0, sample = 0;
  std::string text, finish;
};

/// Events that a worker reports while it works.
struct WorkerEvents {
  std::function<void(std::int64_t done, std::int64_t total, const std::string& unit)> progress;
  std::function<void(const std::string& name, std::int64_t step, double value)> metric;
  std::function<void(const AnswerPiece& piece)> answer = {};
  /// Called if the stage continues from a checkpoint; `done` of its `total` steps are done. The worker then
  /// reports the stage's metrics again from the first step.
  std::function<void(std::int64_t done, std::int64_t total)> resumed = {};
  /// Called once it is known on which machine of a cluster the stage runs.
  std::function<void(const std::string& where)> place = {};
  /// Shows a sentence to the user who runs the stage.
  std::function<void(const std::string& sentence)> note = {};
};

/// Thrown if the worker dies, falls silent or sends malformed messages. `what()` names the signal;
/// `last_words` is the end of the worker's log.
struct WorkerCrashed : std::runtime_error {
  WorkerCrashed(const std::string& what, std::string log_end, std::filesystem::path log_file = {})
      : std::runtime_error(what), cause(what), last_words(std::move(log_end)), log(std::move(log_file)) {}
  std::string cause;  ///< `what()` without numbers of processes: the same for a crash of the same kind
  std::string last_words;
  std::filesystem::path log;  ///< the worker's log; empty if unknown
  bool lost = false;  ///< whether the machine or the connection is gone, which is no fault of the stage
};

/// Thrown if the worker reports that the stage can't be carried out.
struct StageFailed : std::runtime_error {
  StageFailed(const std::string& message, std::string help_text)
      : std::runtime_error(message), help(std::move(help_text)) {}
  std::string help;
};

/// Thrown if the user interrupts.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

class WorkerClient {
 public:
  virtual ~WorkerClient() = default;
  /// Runs one stage, whose files are then in `request.output`. After WorkerCrashed, the next call starts a
  /// new worker. Throws WorkerCrashed, StageFailed or Interrupted.
  virtual StageDone run(const WorkerRequest& request, const WorkerEvents& events) = 0;
};

}  // namespace trl::interpreter
