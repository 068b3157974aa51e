// Shapes and dtypes of the values in a task's expression.
#pragma once

#include <string>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// Returns a shape as JSON text: "[\"M\",64]".
std::string shape_text(const Shape& shape);

/// Sets the shape of every node of the task's `value`. Throws UserError if shapes don't fit together.
void infer_shapes(Task& task);

/// Returns the dtype of a node's value; empty for a number. For an operator of Form::Stated without a stated
/// dtype, it is the dtype of the first floating-point input.
std::string dtype_of(const Task& task, const Expression& node);
/// Whether all real numbers of the task (inputs, intermediate values and output) have one dtype, so that the
/// task makes sense with another dtype in its place.
bool has_one_dtype(const Task& task);

}  // namespace trl::tasks
