// The prompt of a task: a PyTorch module, one statement an operator.
#pragma once

#include <string>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// `# x: [M, N], b: [N]`, then `class Model(nn.Module)` whose forward computes the task. It runs with torch,
/// nn and F (torch.nn.functional) in scope.
std::string prompt(const Task& task);

/// A number as Python writes a float: 2 is "2.0".
std::string python_float(double number);

}  // namespace trl::runtime
