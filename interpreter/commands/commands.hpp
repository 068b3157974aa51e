// The list of trl's commands.
#pragma once

#include <span>

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

/// Adds a command to the command line. When the user chooses the command, it runs and sets the exit status
/// `status`.
using AddCommand = void (*)(Command trl, Console& console, int& status);

/// All commands, in the order of `trl --help`.
std::span<const AddCommand> all_commands();

}  // namespace trl::interpreter
