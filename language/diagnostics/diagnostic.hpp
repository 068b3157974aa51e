#pragma once
#include <string>
#include <vector>

#include "language/diagnostics/source.hpp"

namespace trl::language {

enum class Severity { error, warning, note };

/// A remark that belongs to a diagnostic, with the place that it is about.
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
  /// Nothing else can have been meant, and every value that is written stays. Only such fixes are applied by
  /// `trl check --fix`; others are suggestions.
  bool certain = false;
};

/// A rule's finding. It holds facts only; render.hpp prints them for a terminal or as JSON.
struct Diagnostic {
  std::string rule;  ///< the rule's id, `unknown_field`
  Severity severity = Severity::error;
  std::string message;
  Range range;  ///< the underlined text
  std::vector<Note> notes;
  std::string help;  ///< how to correct it; may be empty
  std::vector<Fix> fixes;

  Diagnostic& note(std::string text);
  Diagnostic& note(std::string text, Range where);
  Diagnostic& helped(std::string text);
  /// Adds a fix that is certain: it changes no value that is written, but for a misspelt word that the
  /// message names.
  Diagnostic& fix(std::string title, Range where, std::string text);
  /// Adds a fix that the author may have meant. It is shown, and never applied.
  Diagnostic& suggest(std::string title, Range where, std::string text);
};

/// How many diagnostics there are of each severity that counts.
struct Severities {
  std::size_t errors = 0, warnings = 0;
};
Severities severities_of(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
