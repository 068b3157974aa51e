// Assigns each of Clang's own messages on a candidate to a check.
#pragma once
#include <clang/Basic/Diagnostic.h>

#include <string>
#include <vector>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

struct Problem {
  unsigned id = 0;  ///< clang::diag::…
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

/// A header that the prelude has no replacement for.
struct MissingHeader {
  std::string name;
  clang::SourceLocation place;
};

/// Keeps the first 64 errors with their notes.
class Problems : public clang::DiagnosticConsumer {
 public:
  std::vector<Problem> all;
  std::vector<MissingHeader> missing_headers;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& what) override;

 private:
  bool keeping_ = false;
};

/// Reports each problem under the check that it belongs to. Sets `unit.broken_host` if host code has errors.
void report_problems(const Problems& problems, TranslationUnit& unit, Report& report);

}  // namespace trl::kernel_check
