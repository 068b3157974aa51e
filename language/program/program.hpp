#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"
#include "language/diagnostics/source.hpp"
#include "language/modules/options.hpp"

namespace trl::language {

/// A checked program: its files, its diagnostics, and its resolved document.
struct Checked {
  Sources sources;
  /// Sorted by file and by place in the file.
  std::vector<Diagnostic> diagnostics;
  /// The resolved document (docs/interfaces.md, section 2). Absent if there are errors or if the options
  /// don't request the document.
  std::optional<nlohmann::json> resolved;
  bool has_errors() const { return language::has_errors(diagnostics); }
};

/// Loads, checks and resolves one .trl file. It never throws because of a file's contents: a file that cannot
/// be read gives a diagnostic (rule `unreadable`).
Checked check_file(const std::string& path, const CheckOptions& options = {});

}  // namespace trl::language
