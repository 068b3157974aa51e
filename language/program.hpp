#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "language/assessment.hpp"
#include "language/diagnostic.hpp"
#include "language/source.hpp"

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

/// A checked program: its files, what is wrong with it, and what it means.
struct Checked {
  Sources sources;
  /// By file and place.
  std::vector<Diagnostic> diagnostics;
  /// The document of docs/seams.md, section 2; absent when there are errors.
  std::optional<nlohmann::json> resolved;
  bool has_errors() const { return language::has_errors(diagnostics); }
};

/// Loads, checks and resolves one .trl file. Never throws on account of what the file says: a file that
/// cannot be read is a diagnostic (rule `unreadable`).
Checked check_file(const std::string& path, const CheckOptions& options = {});

}  // namespace trl::language
