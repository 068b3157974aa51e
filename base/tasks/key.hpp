// A task's key: a text that is equal for tasks that differ only in sizes and constants.
#pragma once

#include <string>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// Returns the key of a task's expression (docs/interfaces.md, 1).
std::string task_key(const Task& task);

}  // namespace trl::tasks
