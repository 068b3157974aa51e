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
};

/// A rule's finding. It holds facts only; render.hpp prints them for a terminal or as JSON.
struct Diagnostic {
  std::string rule;  ///< the rule's id, `unknown_field`
  Severity severity = Severity::error;
  std::string message;
  Range range;  ///< what is underlined
  std::vector<Note> notes;
  std::string help;  ///< how to correct it; may be empty
  std::vector<Fix> fixes;

  Diagnostic& note(std::string text);
  Diagnostic& note(std::string text, Range where);
  Diagnostic& helped(std::string text);
  Diagnostic& fix(std::string title, Range where, std::string text);
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
