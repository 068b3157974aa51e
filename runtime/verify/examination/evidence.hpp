#pragma once
// What the trials of a strict protocol say of a task, whoever answers it.
#include "runtime/verify/examination/progress.hpp"

namespace trl::runtime {

/// Marks the variations that an answer passes which computes nothing, in the verdict and its steps.
void mark_evidence(const Question& question, Progress& progress);

/// An exam counts nothing as right that a trivial answer passes, too: false after failing such a task.
bool task_says_something(const Question& question, Progress& progress);

}  // namespace trl::runtime
