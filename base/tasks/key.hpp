// A task's key: a text that is equal for tasks that differ only in sizes and constants.
#pragma once

#include <string>

#include "base/operators/overlap.hpp"
#include "base/tasks/task.hpp"

namespace trl::tasks {

/// Returns the key of a task's expression (docs/interfaces.md, 1).
std::string task_key(const Task& task);

/// Whether two tasks have the same values in exact arithmetic at the same sizes, whatever their spelling and
/// the names and order of their inputs: relu(x) and maximum(x, 0), x / 4 and x * 0.25. Tasks with numbers as
/// attributes, such as a slope, must have the same ones.
bool same_function(const Task& a, const Task& b);

}  // namespace trl::tasks
