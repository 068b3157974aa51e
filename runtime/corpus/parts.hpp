// A task cut into what each kernel of an answer computes.
#pragma once

#include <string>
#include <vector>

#include "runtime/corpus/answer.hpp"
#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// A part of the task that becomes one kernel.
struct Part {
  Task task;
  std::string output;   // "out", or the temporary's name
  bool copies = false;  // it does nothing else
};

/// The whole task, or two parts with the temporary `t` between them: where the style splits, where a
/// product's values are taken along an axis, or where the flaw is an extra pass.
std::vector<Part> parts_of(Task task, const Style& style, Flaw flaw);

/// The task that the answer computes, wrong where the flaw is a wrong constant, operator or axis. A wrong
/// axis that shows in the expression is no flaw of the kernel any more: `flaw` is None then.
Task task_with(const Task& task, const Style& style, Flaw& flaw);

/// What the kernels are called.
std::vector<std::string> kernel_names(const std::vector<Part>& parts, const Style& style);

}  // namespace trl::runtime
