// Evaluates a task's expression with ATen. The result is the reference for candidates' outputs.
#pragma once

#include <ATen/core/TensorBody.h>

#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Computes the task's value in f64. Inputs are in the order of task.inputs and may have any dtype; floats
/// are converted to f64 first, indices to their dtype. Throws UserError if the number of inputs or a shape is
/// wrong.
at::Tensor reference(const Task& task, const std::vector<at::Tensor>& inputs);

/// Like `reference`, but computes in the dtype of the inputs, without conversion to f64.
at::Tensor evaluate(const Task& task, const std::vector<at::Tensor>& inputs);

/// Applies the operator of one node to the values of its arguments, in their dtype, as `evaluate` does at
/// each node. `sizes` are the sizes of the task's dimensions. For code that walks through an expression and
/// computes more than the values.
at::Tensor operator_value(const Expression& node, const std::vector<at::Tensor>& args, const Sizes& sizes);

/// Returns the type in which `reference` computes values of a dtype: f64 for real numbers; for integers and
/// booleans, the dtype itself.
at::ScalarType exact_type(const std::string& dtype);

/// Converts inputs as `reference` does: floats to f64, indices to their dtype.
std::vector<at::Tensor> exact_inputs(const Task& task, const std::vector<at::Tensor>& inputs);

/// Returns the sizes of the task's dimensions, derived from the shapes of the inputs. Throws UserError if an
/// input doesn't fit.
Sizes sizes_of(const Task& task, const std::vector<at::Tensor>& inputs);

}  // namespace trl::runtime
