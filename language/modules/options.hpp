// The options of a check: the way to read files, settings of the command line, the path of the library.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/modules/assessment.hpp"
#include "language/modules/foreign_tasks.hpp"

namespace trl::language {

/// A function that reads a whole file and returns nothing if the file doesn't exist or isn't a regular file.
using Reader = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads a whole file from the file system.
std::optional<std::string> read_from_disk(const std::string& path);

class SlowAnswers;

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
  /// The reason why this machine can't use a model's weights or answers, or the data that training reads.
  /// Files are missing or, if `broken`, can't be used as they are. `remedy` says how to solve the problem.
  struct Trouble {
    std::string what, remedy;
    bool broken = false;
  };
  /// Looks at the files that a call of `function` names: "huggingface" with a repository and a revision,
  /// "path" or "generations" with the path of a folder, or "kernelbook" with the path of its rows. Nothing if
  /// all is well or nothing can be known.
  std::function<std::optional<Trouble>(const std::string& function, const std::string& named,
                                       const std::string& revision)>
      trouble = {};
  /// Whether an environment variable isn't set on this machine. If empty, nothing is known about variables.
  std::function<bool(const std::string& variable)> unset = {};
  /// Reads the tasks that `kernelbench(…)` names. If empty, a suite with `kernelbench(…)` is an error.
  ReadForeignTasks read_foreign = {};
  /// Whether the caller needs the program's resolved document. Without it the check is faster, with the same
  /// diagnostics.
  bool document = true;
  /// Whether fixes and suggestions are tried before they are shown, so that people see only corrections that
  /// work. Programs that try them anyway, or read only the diagnostics, don't need this.
  bool try_fixes = false;
  /// Answers the questions of rules that take long. If null, the check answers each question when a rule asks
  /// it; an editor's server puts the questions off.
  std::shared_ptr<SlowAnswers> slow = {};
};

}  // namespace trl::language
