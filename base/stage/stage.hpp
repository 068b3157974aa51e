// The interface through which a stage gets its inputs and reports. A stage is one function;
// runtime/worker/stages.def lists them.
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

/// A number that a stage told of one of its steps.
struct Metric {
  std::string name;
  std::int64_t step;
  double value;
};

/// The checkpoints of a stage that trains, from which it goes on after an interruption.
struct CheckpointPlace {
  std::filesystem::path folder;  ///< absolute; it needn't exist
  std::string key;               ///< the stage's key, which a checkpoint must have to be used
  double seconds = 60;           ///< between two checkpoints; 0: one after each step
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
  std::optional<CheckpointPlace> checkpoint;   ///< none: an interrupted stage begins anew
  std::optional<contract::Endpoint> endpoint;  ///< of the server that a stage asks

  /// The machine and libraries that make the result. The server has filled in this process's CPU and
  /// libtorch; a function whose work is done elsewhere, on a GPU or by other programs, adds these.
  contract::MadeOn made_on;

  virtual ~Stage() = default;
  virtual void progress(std::int64_t done, std::int64_t total, const std::string& unit) = 0;
  /// Tells a number, and keeps it: a checkpoint holds all numbers told until then, so that a stage that goes
  /// on from it tells all of it again. Throws UserError where it is no finite number.
  void metric(const std::string& name, std::int64_t step, double value);
  /// Every number that was told, in its order.
  const std::vector<Metric>& told() const { return told_; }
  /// Says that the stage goes on from a checkpoint: `done` of `total` steps are done.
  virtual void resumed(std::int64_t /*done*/, std::int64_t /*total*/) {}
  /// Shows a sentence to the user who runs the stage. Nothing depends on it.
  virtual void note(const std::string& /*sentence*/) {}
  /// A piece of an answer that is being sampled for somebody who reads along: whole characters of UTF-8. The
  /// last one of an answer says how it ended, "stop" or "length"; the others have an empty `finish`. Who
  /// doesn't read along ignores it.
  virtual void answer(std::int64_t /*prompt*/, std::int64_t /*sample*/, const std::string& /*text*/,
                      const std::string& /*finish*/) {}
  /// Throws Cancelled when the user has asked to stop. Called between units of work, at least once a second.
  virtual void check_cancelled() = 0;

  /// The input folder of that name. Throws UserError, which names the input, when it is missing.
  const std::filesystem::path& input(const std::string& name) const;

 protected:
  virtual void send_metric(const std::string& name, std::int64_t step, double value) = 0;

 private:
  std::vector<Metric> told_;
};

/// Carries out one stage: reads `inputs`, writes files under `output`, returns the summary.
using StageFunction = nlohmann::json (*)(Stage&);

}  // namespace trl::runtime
