// The prompt of a task: a PyTorch module, one statement an operator.
#pragma once

#include <string>

#include "runtime/tasks/kernel_language.hpp"
#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// `# x: [M, N], b: [N]`, then `class Model(nn.Module)` whose forward computes the task. It runs with torch,
/// nn and F (torch.nn.functional) in scope. Where CUDA is wanted, a comment before it says so; Triton needs
/// no word.
std::string prompt(const Task& task, KernelLanguage language = KernelLanguage::triton);

/// A number as Python writes a float: 2 is "2.0".
std::string python_float(double number);

}  // namespace trl::runtime
