// The interface through which a stage gets its inputs and reports progress, metrics and notes. Each stage is
// one function; runtime/worker/stages.def lists all stages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/endpoint.hpp"
#include "base/contract/made_on.hpp"
#include "base/stage/cancelled.hpp"

namespace trl::runtime {

/// A number that a stage reported for one of its steps.
struct Metric {
  std::string name;
  std::int64_t step;
  double value;
};

/// Where and how often a stage that trains writes checkpoints, from which it goes on after an interruption.
struct CheckpointPlace {
  std::filesystem::path folder;  ///< an absolute path; the folder needn't exist
  std::string key;               ///< the stage's key; a checkpoint with another key isn't used
  double seconds = 60;           ///< seconds between two checkpoints; 0: a checkpoint after each step
};

/// The place of this process among the processes that carry out one stage together. All get the same request,
/// but for their ranks and outputs; the files of rank 0 are the result.
struct GroupPlace {
  int rank = 0, size = 1;
  std::filesystem::path meeting;  ///< the folder in which they meet: an absolute path, new for each stage
};

/// One request of the protocol (docs/interfaces.md, 3). Paths are absolute; `output` is an empty folder.
class Stage {
 public:
  nlohmann::json spec;
  std::map<std::string, std::filesystem::path> inputs;
  std::filesystem::path output;
  std::string secret;
  bool sandbox = true;
  int threads = 1;
  std::string device = "cpu";
  /// Where checkpoints are written; nothing if an interrupted stage starts again from the beginning.
  std::optional<CheckpointPlace> checkpoint;
  std::optional<contract::Endpoint> endpoint;  ///< the server to which a stage sends requests, if any
  /// The place of this process among the processes that carry out the stage; nothing if this process carries
  /// it out alone. Only set in stages for which contract::uses_group is true.
  std::optional<GroupPlace> group;

  /// The machine and libraries that make the result. This process's CPU and libtorch are already filled in
  /// when the stage's function is called. If the work is done on a GPU or by other programs, the function
  /// must add them.
  contract::MadeOn made_on;

  virtual ~Stage() = default;
  virtual void progress(std::int64_t done, std::int64_t total, const std::string& unit) = 0;
  /// Reports a metric and remembers it. A checkpoint stores all metrics reported before it, and a stage that
  /// goes on from the checkpoint reports them again. Throws UserError when `value` isn't finite.
  void metric(const std::string& name, std::int64_t step, double value);
  /// All metrics that were reported, in order.
  const std::vector<Metric>& told() const { return told_; }
  /// Reports that the stage goes on from a checkpoint with `done` of `total` steps finished.
  virtual void resumed(std::int64_t /*done*/, std::int64_t /*total*/) {}
  /// Shows a sentence to the user who runs the stage. The stage's result doesn't depend on it.
  virtual void note(const std::string& /*sentence*/) {}
  /// Reports a piece of an answer while it is being sampled, in whole characters of UTF-8. For the last piece
  /// of an answer, `finish` says how the answer ended, "stop" or "length"; for other pieces it is empty. By
  /// default the piece is ignored.
  virtual void answer(std::int64_t /*prompt*/, std::int64_t /*sample*/, const std::string& /*text*/,
                      const std::string& /*finish*/) {}
  /// Throws Cancelled when the user has asked to stop. A stage calls it between units of work, at least once
  /// a second.
  virtual void check_cancelled() = 0;

  /// Returns the input folder with this name. Throws UserError, which names the input, when it is missing.
  const std::filesystem::path& input(const std::string& name) const;

 protected:
  virtual void send_metric(const std::string& name, std::int64_t step, double value) = 0;

 private:
  std::vector<Metric> told_;
};

/// Executes one stage: reads `inputs`, writes files under `output`, returns the stage's summary.
using StageFunction = nlohmann::json (*)(Stage&);

}  // namespace trl::runtime
