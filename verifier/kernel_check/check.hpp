// The type of a check. Each check has a file in checks/ and a line in checks.def.
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
  std::string_view reason;  ///< the verdict's reason
  std::string_view why;     ///< the reason for the check, in one sentence
  /// Looks at a candidate; null for a check whose findings are the parser's own messages.
  void (*check)(const TranslationUnit&, Report&) = nullptr;
};

/// Every check, in the order of checks.def.
const std::vector<const Check*>& all_checks();
const Check* find_check(std::string_view id);

namespace checks {
#define TRL_CHECK(id) extern const Check id;
#include "verifier/kernel_check/checks.def"
#undef TRL_CHECK
}  // namespace checks

}  // namespace trl::kernel_check
