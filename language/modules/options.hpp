// What a check depends on besides the file: how files are read, settings of the command line, the library.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "language/modules/assessment.hpp"

namespace trl::language {

/// Reads a whole file; nothing where there is none.
using Reader = std::function<std::optional<std::string>(const std::string& path)>;

/// The reader of the machine's own disk.
std::optional<std::string> read_from_disk(const std::string& path);

struct CheckOptions {
  /// `--set`: each is `path=value`, `reinforce.rounds=3`; applied to every experiment after its own
  /// overrides.
  std::vector<std::string> sets;
  /// Folders in which imports are looked for, after the importing file's own; the embedded library comes
  /// last.
  std::vector<std::string> search;
  /// The installed stdlib/, where the manifest of the embedded model's pretraining lies; empty when unknown.
  std::string library;
  Reader read = read_from_disk;
  /// Which tasks trivial answers pass. Without it the rule `degenerate_task` finds nothing.
  Assess assess = {};
};

}  // namespace trl::language
