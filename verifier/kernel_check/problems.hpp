// Collects Clang's own error messages on a candidate, and reports each of them as a finding of a check.
#pragma once
#include <clang/Basic/Diagnostic.h>

#include <string>
#include <vector>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

struct Problem {
  unsigned id = 0;  ///< the number of the message, a constant of the namespace clang::diag
  bool error = false;
  std::string message;
  clang::SourceLocation place;
  struct Note {
    unsigned id = 0;
    std::string message;
    clang::SourceLocation place;
  };
  std::vector<Note> notes;
};

/// A header that the candidate includes and for which the prelude has no replacement.
struct MissingHeader {
  std::string name;
  clang::SourceLocation place;
};

/// Receives Clang's messages and keeps the first 64 errors with their notes.
class Problems : public clang::DiagnosticConsumer {
 public:
  std::vector<Problem> all;
  std::vector<MissingHeader> missing_headers;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& what) override;

 private:
  bool keeping_ = false;
};

/// Reports each problem as a finding of the check to which it belongs. Sets `unit.broken_host` if host code
/// has errors.
void report_problems(const Problems& problems, TranslationUnit& unit, Report& report);

}  // namespace trl::kernel_check
