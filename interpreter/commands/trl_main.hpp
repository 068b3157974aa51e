// The command line of trl as functions.
#pragma once

#include <string>
#include <vector>

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

/// The manual page of trl and all its commands, as troff with the man macros: their helps.
std::string manual_page(Command trl);

/// Runs trl with `arguments`, which lack the program's name. Never throws.
int trl_main(std::vector<std::string> arguments, Console& console);

}  // namespace trl::interpreter
