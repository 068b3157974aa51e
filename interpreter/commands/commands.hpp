// The list of trl's commands.
#pragma once

#include <span>

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

/// Adds a command to the command line, which sets `status` when it is chosen.
using AddCommand = void (*)(Command trl, Console& console, int& status);

/// All, in the order of `trl --help`.
std::span<const AddCommand> all_commands();

}  // namespace trl::interpreter
