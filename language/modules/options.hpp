// The things on which a check depends besides the file: how files are read, settings of the command line, the
// library.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "language/modules/assessment.hpp"
#include "language/modules/foreign_tasks.hpp"

namespace trl::language {

/// Reads a whole file; nothing if it doesn't exist.
using Reader = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads from the file system.
std::optional<std::string> read_from_disk(const std::string& path);

struct CheckOptions {
  /// The values of `--set`: each is `path=value`, `reinforce.rounds=3`. They apply to every experiment after
  /// its own overrides.
  std::vector<std::string> sets;
  /// Folders in which imports are looked up after the folder of the importing file. The embedded library
  /// comes last.
  std::vector<std::string> search;
  /// The installed stdlib/, which has the manifest of the embedded model's pretraining; empty if unknown.
  std::string library;
  Reader read = read_from_disk;
  /// Tells which trivial answers a task accepts. Without it the rule `degenerate_task` finds nothing.
  Assess assess = {};
  /// Says of a repository of Hugging Face that it isn't on this machine: the missing files, and how to get
  /// them. Nothing where it is there, and where nobody can tell.
  struct Absence {
    std::string what, remedy;
  };
  std::function<std::optional<Absence>(const std::string& repository, const std::string& revision)> absent =
      {};
  /// Whether an environment variable isn't set on this machine. Without it nobody can tell.
  std::function<bool(const std::string& variable)> unset = {};
  /// Reads the tasks that `kernelbench(…)` names. Without it such a suite is an error.
  ReadForeignTasks read_foreign = {};
  /// Whether the caller wants the program's document. Diagnostics are the same without it, and found sooner.
  bool document = true;
};

}  // namespace trl::language
