// The interface by which the checker gets tasks from files of another program (KernelBench).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// The tasks that were read from a checkout or a data set of KernelBench.
struct ForeignTasks {
  /// A task that can't be read: its place, its level, and the reason as the text `what`.
  struct Problem {
    std::string place;       ///< "train.jsonl, row 5"
    std::int64_t level = 0;  ///< 0 if the level isn't known
    std::string what;
  };
  /// The description of each task as verifier/kernelbench/read_tasks.py writes it, sorted by level and id.
  std::vector<nlohmann::json> tasks;
  std::vector<Problem> problems;
  std::string error,
      help;  ///< the reason why no task can be read, and advice on it; empty if tasks can be read

  /// The tasks of a level, sorted by id.
  std::vector<const nlohmann::json*> of_level(std::int64_t level) const;
  /// The levels that have tasks, in ascending order.
  std::vector<std::int64_t> levels() const;
};

/// Reads the tasks at a path. The result is never null. While no file at the path has changed, the same
/// object may be returned again.
using ReadForeignTasks = std::function<std::shared_ptr<const ForeignTasks>(const std::string& path)>;

}  // namespace trl::language
