// `trl check` with what a runtime knows of the tasks.
#pragma once

#include <ostream>
#include <string>

#include "language/program/program.hpp"

namespace trl::interpreter {

/// As language::check_file, with the rule `degenerate_task`: tasks of which it isn't known whether trivial
/// answers pass are assessed by trl-verify first. Shows its progress on `err` where that is a terminal.
/// Throws Interrupted.
language::Checked check_with_assessments(const std::string& file, language::CheckOptions options,
                                         std::ostream& err);

}  // namespace trl::interpreter
