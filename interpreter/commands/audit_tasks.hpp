// `trl audit tasks`.
#pragma once

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

void add_audit_tasks(Command audit, Console& console, int& status);

}  // namespace trl::interpreter
