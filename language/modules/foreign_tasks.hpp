// The interface by which a check asks for tasks that are kept elsewhere, which another program reads.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// The tasks of a checkout or a data set of KernelBench.
struct ForeignTasks {
  /// A task that can't be read: `file`, `row` where it is a row, `level` and `id` as far as they are known,
  /// and the reason, `what`.
  struct Problem {
    std::string place;       ///< "train.jsonl, row 5"
    std::int64_t level = 0;  ///< 0 where it isn't known
    std::string what;
  };
  /// The description of each task by verifier/kernelbench/read_tasks.py, by level and id.
  std::vector<nlohmann::json> tasks;
  std::vector<Problem> problems;
  std::string error, help;  ///< why nothing can be read, and how to mend that; empty: it can

  /// The tasks of a level, in the order of their ids.
  std::vector<const nlohmann::json*> of_level(std::int64_t level) const;
  /// The levels that have tasks, in their order.
  std::vector<std::int64_t> levels() const;
};

/// Reads the tasks at a path. Never null; the same object may be returned again for a path while no file
/// there has changed.
using ReadForeignTasks = std::function<std::shared_ptr<const ForeignTasks>(const std::string& path)>;

}  // namespace trl::language
