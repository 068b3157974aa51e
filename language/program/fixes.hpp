// `trl check --fix`: what the diagnostics say would mend a file, done.
#pragma once
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct AppliedFix {
  std::string where;  ///< `file:line:column` in the text at that time
  std::string rule, title;
};

struct Fixed {
  std::string text;  ///< of the program's own file
  std::vector<AppliedFix> applied;
  Checked checked;  ///< that text
};

/// Checks a file and applies the first fix of each diagnostic that has one, as long as there are any. A fix
/// after which there are more errors is not applied. Imported files stay as they are; nothing is written.
Fixed apply_fixes(const std::string& path, CheckOptions options);

}  // namespace trl::language
