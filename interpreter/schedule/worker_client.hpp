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

/// The checkpoints of a stage that trains, from which it goes on after an interruption.
struct Checkpoint {
  std::filesystem::path folder;
  std::string key;  ///< the stage's
};

struct WorkerRequest {
  std::string stage;
  nlohmann::json spec;
  std::map<std::string, std::filesystem::path> inputs;
  std::filesystem::path output;
  std::optional<Checkpoint> checkpoint = {};
  std::optional<contract::Endpoint> endpoint = {};  ///< of the server that the stage asks
};

/// A worker's answer for a stage that is done.
struct StageDone {
  nlohmann::json summary;
  std::optional<contract::MadeOn> made_on;  ///< none: it doesn't say
};

/// A piece of an answer that is being sampled. `finish` of an answer's last piece says how it ended, "stop"
/// or "length", and is empty before.
struct AnswerPiece {
  std::size_t prompt = 0, sample = 0;
  std::string text, finish;
};

/// Events that a worker reports while it works.
struct WorkerEvents {
  std::function<void(std::int64_t done, std::int64_t total, const std::string& unit)> progress;
  std::function<void(const std::string& name, std::int64_t step, double value)> metric;
  std::function<void(const AnswerPiece& piece)> answer = {};
  /// The stage goes on from a checkpoint, with so many steps done. Its metrics are told again from the first.
  std::function<void(std::int64_t done, std::int64_t total)> resumed = {};
  /// Shows a sentence to the user who runs the stage.
  std::function<void(const std::string& sentence)> note = {};
};

/// Thrown if the worker dies or sends malformed messages. `cause` names the signal; `last_words` is the end
/// of its log.
struct WorkerCrashed : std::runtime_error {
  WorkerCrashed(const std::string& cause, std::string log_end)
      : std::runtime_error(cause), last_words(std::move(log_end)) {}
  std::string last_words;
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
  /// Runs one stage; its files are then in `output`. After WorkerCrashed the next call starts a new worker.
  /// Throws WorkerCrashed, StageFailed or Interrupted.
  virtual StageDone run(const WorkerRequest& request, const WorkerEvents& events) = 0;
};

}  // namespace trl::interpreter
