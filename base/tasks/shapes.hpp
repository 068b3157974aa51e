// Shapes and dtypes of the values in a task's expression.
#pragma once

#include <string>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// "[\"M\",64]".
std::string shape_text(const Shape& shape);

/// Sets the shape of every node of `value`. Throws UserError when shapes don't fit.
void infer_shapes(Task& task);

/// The dtype of a node's value; that of the first input of floats where the task doesn't say another, and
/// empty for a number.
std::string dtype_of(const Task& task, const Expression& node);
/// Whether all real numbers of the task, inputs, values between and output, have one dtype, so that it could
/// be another.
bool has_one_dtype(const Task& task);

}  // namespace trl::tasks
