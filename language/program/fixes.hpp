// Applies the fixes of diagnostics to a file, for `trl check --fix`.
#pragma once
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct AppliedFix {
  std::string where;  ///< `file:line:column` in the text before the fix
  std::string rule, title;
};

struct Fixed {
  std::string text;  ///< the text of the program's own file after the fixes
  std::vector<AppliedFix> applied;
  Checked checked;  ///< the result of checking that text
};

/// Checks a file and applies the first certain fix of each diagnostic that has one, until none is left.
/// Suggestions are never applied, nor is a fix that causes more errors. Imported files stay as they are;
/// nothing is written.
Fixed apply_fixes(const std::string& path, CheckOptions options);

}  // namespace trl::language
