// `trl explain NAME`, which `trl docs NAME` also prints.
#pragma once
#include <string>

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

/// Prints what a name means. Throws UserError that says what is near, if there is no such name.
int explain(const std::string& name, Console& console);

}  // namespace trl::interpreter
