// The command line of trl as functions.
#pragma once

#include <string>
#include <vector>

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

/// The manual page of trl, with the help of all its commands, as troff with the man macros.
std::string manual_page(Command trl);

/// Runs trl with `arguments`, which don't include the program's name, and returns the exit status. Never
/// throws.
int trl_main(std::vector<std::string> arguments, Console& console);

}  // namespace trl::interpreter
