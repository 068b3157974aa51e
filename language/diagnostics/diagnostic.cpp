#include "language/diagnostics/diagnostic.hpp"

#include <algorithm>

namespace trl::language {

Diagnostic& Diagnostic::note(std::string text) {
  notes.push_back({std::move(text), {}, false});
  return *this;
}

Diagnostic& Diagnostic::note(std::string text, Range where) {
  notes.push_back({std::move(text), where, true});
  return *this;
}

Diagnostic& Diagnostic::helped(std::string text) {
  help = std::move(text);
  return *this;
}

Diagnostic& Diagnostic::fix(std::string title, Range where, std::string text) {
  fixes.push_back({std::move(title), where, std::move(text), true});
  return *this;
}

Diagnostic& Diagnostic::suggest(std::string title, Range where, std::string text) {
  fixes.push_back({std::move(title), where, std::move(text), false});
  return *this;
}

Severities severities_of(const std::vector<Diagnostic>& diagnostics) {
  Severities sum;
  for (const Diagnostic& d : diagnostics) {
    sum.errors += d.severity == Severity::error;
    sum.warnings += d.severity == Severity::warning;
  }
  return sum;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

}  // namespace trl::language
