#pragma once
#include <string>
#include <vector>

#include "language/diagnostics/source.hpp"

namespace trl::language {

enum class Severity { error, warning, note };

/// An additional message of a diagnostic. `range` is the text that the message is about, if `has_range` is
/// set.
struct Note {
  std::string message;
  Range range;
  bool has_range = false;
};

/// A replacement of `range` by `text` that would correct the program.
struct Fix {
  std::string title;
  Range range;
  std::string text;
  /// Whether the fix is surely right: the author can't have meant anything else, and no written value
  /// changes. `trl check --fix` applies only certain fixes; the rest are suggestions.
  bool certain = false;
};

/// A rule's finding. It holds facts only; render.hpp prints them for a terminal or as JSON.
struct Diagnostic {
  std::string rule;  ///< the rule's id, such as `unknown_field`
  Severity severity = Severity::error;
  std::string message;
  Range range;  ///< the underlined text
  std::vector<Note> notes;
  std::string help;  ///< advice on correcting the program; may be empty
  std::vector<Fix> fixes;

  Diagnostic& note(std::string text);
  Diagnostic& note(std::string text, Range where);
  Diagnostic& helped(std::string text);
  /// Adds a certain fix. It may replace a misspelt word that the message names, but changes no other written
  /// value.
  Diagnostic& fix(std::string title, Range where, std::string text);
  /// Adds a suggestion: a fix that is shown to the user and never applied automatically.
  Diagnostic& suggest(std::string title, Range where, std::string text);
};

/// The numbers of errors and of warnings among diagnostics. Notes aren't counted.
struct Severities {
  std::size_t errors = 0, warnings = 0;
};
Severities severities_of(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
