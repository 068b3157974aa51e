// Cuts a task into parts, one for each kernel of an answer.
#pragma once

#include <string>
#include <vector>

#include "verifier/corpus/answer.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// A part of a task, computed by one kernel.
struct Part {
  Task task;
  std::string output;   // the name of the tensor that the kernel writes: "out", or "t" for a temporary
  bool copies = false;  // whether the kernel only copies its input
};

/// Returns the whole task as one part, or two parts, of which the first writes the temporary tensor `t` and
/// the second reads it. A task becomes two parts if `style.split` is set, if an operator along an axis
/// follows a matrix product, or if the flaw is ExtraPass.
std::vector<Part> parts_of(Task task, const Style& style, Flaw flaw);

/// Returns the task that the answer computes. This is a changed task if the flaw is WrongConstant,
/// WrongOperator or WrongAxis. If a wrong axis is put into the expression, `flaw` becomes None, since the
/// kernel itself then has no flaw.
Task task_with(const Task& task, const Style& style, Flaw& flaw);

/// The names of the kernels, in the order of the parts.
std::vector<std::string> kernel_names(const std::vector<Part>& parts, const Style& style);

}  // namespace trl::runtime
