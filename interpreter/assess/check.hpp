// Checks a .trl file for `trl check`, with assessments of its tasks by trl-verify.
#pragma once

#include <ostream>
#include <string>

#include "language/program/program.hpp"

namespace trl::interpreter {

/// Like language::check_file, but with the rule `degenerate_task`: tasks without a known assessment are
/// assessed by trl-verify first. Shows progress on `err`. Throws Interrupted.
language::Checked check_with_assessments(const std::string& file, language::CheckOptions options,
                                         std::ostream& err);

}  // namespace trl::interpreter
