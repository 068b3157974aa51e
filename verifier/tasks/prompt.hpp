// Writes the prompt of a task: a PyTorch module with one statement per operator.
#pragma once

#include <string>

#include "verifier/tasks/kernel_language.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Returns the PyTorch module that the model has to replace by kernels. For a task that was read from a
/// Python file, this is the text of the file. For other tasks it is `# x: [M, N], b: [N]` and then `class
/// Model(nn.Module)`, whose forward computes the task; this text needs the names torch, nn and F
/// (torch.nn.functional). If `language` is CUDA, a comment before the module says so; without that comment
/// the model should write Triton.
std::string prompt(const Task& task, KernelLanguage language = KernelLanguage::triton);

/// Writes a number as a Python float: 2 becomes "2.0".
std::string python_float(double number);

}  // namespace trl::runtime
