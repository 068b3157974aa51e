// What Clang itself says of a candidate, and which check each of its messages belongs to.
#pragma once
#include <clang/Basic/Diagnostic.h>

#include <string>
#include <vector>

#include "runtime/verify/kernel_check/unit.hpp"

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

/// A header that no file of the prelude stands for.
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

/// Reports each problem by the check that it belongs to; sets `unit.broken_host`.
void report_problems(const Problems& problems, Unit& unit, Report& report);

}  // namespace trl::kernel_check
