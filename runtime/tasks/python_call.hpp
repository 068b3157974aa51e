// How PyTorch writes an operator whose shape the task states.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The Python expression of a node of Form::Stated; `args` are its arguments' variables, `size` writes a
/// size.
std::string python_call(const Expression& node, const std::vector<std::string>& args,
                        const std::function<std::string(const Extent&)>& size);

}  // namespace trl::runtime
