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
  Checked checked;  ///< the result of checking the file after the fixes
};

/// Checks a file and applies certain fixes until none is left: in each round, the first certain fix of each
/// diagnostic that has one. Suggestions are never applied, nor is a fix that causes more errors. Imported
/// files stay as they are. No file is written.
Fixed apply_fixes(const std::string& path, CheckOptions options);

}  // namespace trl::language
