// Writes the prompt of a task: a PyTorch module with one statement per operator.
#pragma once

#include <string>

#include "verifier/tasks/kernel_language.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Returns the file of a task that was read from one, whose module has its constructor's arguments and its
/// inputs below it. Of others it returns `# x: [M, N], b: [N]` and then `class Model(nn.Module)`, whose
/// forward computes the task. The text runs with torch, nn and F (torch.nn.functional) in scope. A comment
/// before it asks for CUDA; without one, Triton is wanted.
std::string prompt(const Task& task, KernelLanguage language = KernelLanguage::triton);

/// A number as Python writes a float: 2 is "2.0".
std::string python_float(double number);

}  // namespace trl::runtime
