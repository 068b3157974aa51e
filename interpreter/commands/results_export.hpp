#pragma once

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

/// Adds `trl results export`.
void add_results_export(Command results, Console& console, int& status);

}  // namespace trl::interpreter
