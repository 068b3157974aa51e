// The text by which tasks are compared whatever their sizes and constants.
#pragma once

#include <string>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// The key of a task's expression (docs/interfaces.md, 1).
std::string task_key(const Task& task);

}  // namespace trl::tasks
