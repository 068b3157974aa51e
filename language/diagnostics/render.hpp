#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"

namespace trl::language {

/// How diagnostics look where they are shown.
struct Look {
  bool colour = false;
  /// Breaks a line of prose into lines of the terminal's width; empty: lines stay whole.
  std::function<std::string(const std::string&)> folded = {};
  /// The terminal's number of columns. If a line of the file is longer, the part around the place is shown.
  std::size_t width = 320;
};

/// Returns a diagnostic as text for a terminal: `file:line:column: error[rule]: message`, the source line, a
/// caret underline, notes and help. The text ends in a newline.
std::string render(const Diagnostic& diagnostic, const Sources& sources, const Look& look = {});

/// Returns all diagnostics as text, one after another. If there are any, the last line counts them (`2
/// errors, 1 warning`).
std::string render(const std::vector<Diagnostic>& diagnostics, const Sources& sources, const Look& look = {});

/// Returns one line for a command that doesn't show warnings and notes: their number, their rules, and
/// `command`, which would show them. There must be no errors. Empty if there are no diagnostics.
std::string render_count(const std::vector<Diagnostic>& diagnostics, const std::string& file,
                         const std::string& command);

/// Returns a JSON array with an object for each diagnostic. Its keys are "rule", "severity", "message",
/// "file", "line", "column", "end_line", "end_column", "notes", "help" and "fixes".
nlohmann::json render_json(const std::vector<Diagnostic>& diagnostics, const Sources& sources);

}  // namespace trl::language
