// Cuts a task into the parts that the kernels of an answer compute.
#pragma once

#include <string>
#include <vector>

#include "verifier/corpus/answer.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// A part of the task that becomes one kernel.
struct Part {
  Task task;
  std::string output;   // "out", or the temporary's name
  bool copies = false;  // the kernel only copies
};

/// Returns the whole task, or two parts with the temporary `t` between them. There are two if the style
/// splits, if a product is followed by an operator along an axis, or if the flaw is an extra pass.
std::vector<Part> parts_of(Task task, const Style& style, Flaw flaw);

/// Returns the task that the answer computes, which is wrong if the flaw is a wrong constant, operator or
/// axis. If a wrong axis is put into the expression, the kernel needs no flaw of its own, and `flaw` becomes
/// None.
Task task_with(const Task& task, const Style& style, Flaw& flaw);

/// The names of the kernels.
std::vector<std::string> kernel_names(const std::vector<Part>& parts, const Style& style);

}  // namespace trl::runtime
