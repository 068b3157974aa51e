// Operands that are joined element by element.
#pragma once

#include <string>
#include <vector>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {

/// The shape of the named operands together; numbers fit any. Fails naming the two shapes that don't fit.
Shape joined(const Call& call, const std::vector<std::string>& names);

}  // namespace trl::language::tasks
