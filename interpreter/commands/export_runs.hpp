// `trl export kernelbench`.
#pragma once

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

void add_export_kernelbench(Command group, Console& console, int& status);

}  // namespace trl::interpreter
