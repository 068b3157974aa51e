// The type of a check of a candidate's source. Each check has a file in checks/ and a line in checks.def.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "verifier/kernel_check/finding.hpp"

namespace clang {
class SourceLocation;
}

namespace trl::kernel_check {

class TranslationUnit;
class Report;

struct Check {
  std::string_view id;
  Severity severity = Severity::refuse;
  std::string_view reason;  ///< the reason in the verdict on a candidate that fails the check
  std::string_view why;     ///< the purpose of the check, in one sentence
  /// Checks a candidate and reports findings; null for a check whose findings are Clang's own messages.
  void (*check)(const TranslationUnit&, Report&) = nullptr;
};

/// Returns all checks, in the order of checks.def.
const std::vector<const Check*>& all_checks();
const Check* find_check(std::string_view id);

namespace checks {
#define TRL_CHECK(id) extern const Check id;
#include "verifier/kernel_check/checks.def"
#undef TRL_CHECK
}  // namespace checks

}  // namespace trl::kernel_check
