// The options of a check: the way to read files, settings of the command line, the path of the library.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "language/modules/assessment.hpp"
#include "language/modules/foreign_tasks.hpp"

namespace trl::language {

/// A function that reads a whole file and returns nothing if the file doesn't exist.
using Reader = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads a whole file from the file system.
std::optional<std::string> read_from_disk(const std::string& path);

struct CheckOptions {
  /// The values of `--set`. Each is `path=value`, such as `reinforce.rounds=3`. They apply to every
  /// experiment, after the experiment's own overrides.
  std::vector<std::string> sets;
  /// Folders in which imports are looked up after the folder of the importing file. The embedded library is
  /// searched last.
  std::vector<std::string> search;
  /// The path of the installed stdlib/, which contains the manifest of the embedded model's pretraining;
  /// empty if unknown.
  std::string library;
  Reader read = read_from_disk;
  /// Finds out which trivial answers a task accepts. If empty, the rule `degenerate_task` finds nothing.
  Assess assess = {};
  /// Describes the absence of a Hugging Face repository from this machine: `what` names the missing files and
  /// `remedy` is the way to get them. Nothing if the repository is there or if its absence can't be
  /// determined.
  struct Absence {
    std::string what, remedy;
  };
  std::function<std::optional<Absence>(const std::string& repository, const std::string& revision)> absent =
      {};
  /// Whether an environment variable isn't set on this machine. If empty, nothing is known about variables.
  std::function<bool(const std::string& variable)> unset = {};
  /// Reads the tasks that `kernelbench(…)` names. If empty, a suite with `kernelbench(…)` is an error.
  ReadForeignTasks read_foreign = {};
  /// Whether the caller needs the program's resolved document. Without it the check is faster, with the same
  /// diagnostics.
  bool document = true;
};

}  // namespace trl::language
