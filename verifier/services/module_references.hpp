#pragma once
// The values that KernelBench's protocol expects for a task that was read from a file:
// verifier/kernelbench/reference.py computes them, in a process that no candidate enters.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/services/installation.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// One trial: the inputs of the task's expression, parameters among them, and the module's results for them.
struct ReferenceTrial {
  std::vector<InputData> inputs;             ///< in the task's order
  std::vector<std::vector<double>> outputs;  ///< of each result, in row-major order
};

/// The reason why a task's module gives nothing to compare with: it fails here, takes too long, or computes
/// something else than the task that was read from its text.
struct NoReference : UserError {
  using UserError::UserError;
};

/// The values that the protocol expects for one task, in a folder of its own.
class ModuleReference {
 public:
  ModuleReference(std::shared_ptr<const std::filesystem::path> folder, std::size_t trials, double tolerance,
                  std::int64_t bytes)
      : folder_(std::move(folder)), trials_(trials), tolerance_(tolerance), bytes_(bytes) {}

  std::size_t trials() const { return trials_; }
  /// An answer is right if |expected - answer| <= t + t |answer| everywhere.
  double tolerance() const { return tolerance_; }
  std::int64_t bytes() const { return bytes_; }
  /// Reads a trial from its file. Throws NoReference where the module takes or keeps other tensors than
  /// the task says.
  ReferenceTrial trial(const Task& task, std::size_t number) const;

 private:
  std::shared_ptr<const std::filesystem::path> folder_;  // removed with its last owner
  std::size_t trials_;
  double tolerance_;
  std::int64_t bytes_;
};

/// The references of recent tasks, which worker slots share.
class ModuleReferences {
 public:
  explicit ModuleReferences(const Installation& installation) : installation_(installation) {}
  /// The references that all worker slots of this process share.
  static std::shared_ptr<ModuleReferences> shared(const Installation& installation);

  /// The task's reference, computed on `device` ("cpu" or "cuda") if it isn't there. Throws NoReference,
  /// UserError where this machine can't keep it, and Cancelled.
  std::shared_ptr<const ModuleReference> of(const Task& task, const std::string& device,
                                            const std::function<bool()>& cancelled);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const ModuleReference> reference;  ///< null where there is none
    std::string problem, help;
  };
  Entry computed(const std::string& key, const nlohmann::json& request,
                 const std::function<bool()>& cancelled) const;

  const Installation installation_;
  std::mutex mutex_;  // one reference is computed at a time
  std::list<Entry> recent_;
};

}  // namespace trl::runtime
