#pragma once
// The outputs that KernelBench's protocol expects for a task that was read from a Python file.
// verifier/kernelbench/reference.py computes them, in a process that never runs a candidate's code. This
// process is confined, too: it runs the code of the task's file, which may come from somebody else's store.
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

/// A parameter of a task's module that an answer initialises from another distribution or in another way.
struct DrawnWeight {
  std::size_t input = 0;  ///< of the task
  std::string family;     ///< "uniform" (low, high), "normal" (mean, deviation) or "constant" (number)
  double first = 0, second = 0;
};

/// One trial: the inputs of the task's expression, which include the module's parameters, and the module's
/// outputs for these inputs.
struct ReferenceTrial {
  std::vector<InputData> inputs;             ///< in the task's order
  std::vector<std::vector<double>> outputs;  ///< the values of each output, in row-major order

  /// Replaces the values of parameters by other numbers, drawn from the named distributions. `outputs`
  /// stays as it is.
  void put_weights(const Task& task, const std::vector<DrawnWeight>& weights);
};

/// Thrown if a task's module gives no outputs for a comparison: it fails on this machine, takes too long, or
/// doesn't compute the task that was read from its text.
struct NoReference : UserError {
  using UserError::UserError;
};

/// The trials of one task, stored in a folder of their own.
class ModuleReference {
 public:
  /// The protocol's seed and number of trials, and its tolerance t in f32: an answer is right if |expected -
  /// answer| <= t + t |answer| for every element.
  static constexpr int seed = 42, trials = 5;
  static constexpr double tolerance = 1e-4;

  ModuleReference(std::shared_ptr<const std::filesystem::path> folder, std::int64_t bytes)
      : folder_(std::move(folder)), bytes_(bytes) {}

  std::int64_t bytes() const { return bytes_; }
  /// Reads a trial from its file, as hostile data. Throws NoReference if it is malformed, or the module's
  /// inputs or parameters differ from the task's.
  ReferenceTrial trial(const Task& task, int number) const;

 private:
  std::shared_ptr<const std::filesystem::path> folder_;  // removed with its last owner
  std::int64_t bytes_;
};

/// The request to kernelbench/reference.py for a task's module on a device, "cpu" or "cuda".
nlohmann::json kernelbench_protocol(const Task& task, const std::string& device);

/// A cache of the references of recent tasks, shared by worker slots.
class ModuleReferences {
 public:
  explicit ModuleReferences(const Installation& installation) : installation_(installation) {}
  /// Returns the cache that all worker slots of this process share.
  static std::shared_ptr<ModuleReferences> shared(const Installation& installation);

  /// Returns the task's reference, from the cache or computed. `own` is whether the task's module is the
  /// user's own: it is then carried out on the GPU if `on_gpu`. All others run in trl-sandbox or not at all.
  /// Throws NoReference; UserError if this machine can't store the reference; and Cancelled.
  std::shared_ptr<const ModuleReference> of(const Task& task, bool own, bool on_gpu, bool sandbox,
                                            const std::function<bool()>& cancelled);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const ModuleReference> reference;  ///< null if the module gives no reference
    std::string problem, help;
  };
  Entry computed(const std::string& key, const nlohmann::json& request, bool confined,
                 const std::function<bool()>& cancelled) const;

  const Installation installation_;
  std::mutex mutex_;  // one reference is computed at a time
  std::list<Entry> recent_;
};

}  // namespace trl::runtime
