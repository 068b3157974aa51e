// `trl export adapter` and `trl export model`.
#pragma once

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

void add_export_adapter(Command group, Console& console, int& status);
void add_export_model(Command group, Console& console, int& status);

}  // namespace trl::interpreter
