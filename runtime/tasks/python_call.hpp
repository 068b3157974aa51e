// Writes operators as calls of PyTorch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The Python expression of an operator's node. `args` are the variables or numbers of its arguments; `size`
/// writes a size.
std::string python_call(const Expression& node, const std::vector<std::string>& args,
                        const std::function<std::string(const Extent&)>& size);

}  // namespace trl::runtime
