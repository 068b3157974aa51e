// The shapes of operands that are combined element by element.
#pragma once

#include <string>
#include <vector>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {

/// Returns the broadcast shape of the named operands; plain numbers fit any shape. Fails with a message that
/// names two shapes that don't fit.
Shape joined(const Call& call, const std::vector<std::string>& names);

}  // namespace trl::language::tasks
