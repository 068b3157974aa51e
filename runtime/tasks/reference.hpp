// The reference of a task: its expression evaluated by ATen.
#pragma once

#include <ATen/core/TensorBody.h>

#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The task's value in f64 of inputs of any dtype, in the order of task.inputs; floats are converted to f64
/// first, indices to their dtype. Throws UserError when the number of inputs is wrong, or a shape.
at::Tensor reference(const Task& task, const std::vector<at::Tensor>& inputs);

/// As `reference`, computed in the inputs' own dtype: what the task costs in accuracy.
at::Tensor evaluate(const Task& task, const std::vector<at::Tensor>& inputs);

/// One operator of its arguments' values, in their dtype, at the sizes of the task's dimensions: what
/// `evaluate` does at each node. For whoever follows more than values through an expression.
at::Tensor operator_value(const Expression& node, const std::vector<at::Tensor>& args, const Sizes& sizes);

/// The inputs as `reference` takes them: floats in f64, indices in their dtype.
std::vector<at::Tensor> exact_inputs(const Task& task, const std::vector<at::Tensor>& inputs);

/// The sizes of the dimensions that inputs of these shapes have. Throws UserError where one doesn't fit.
Sizes sizes_of(const Task& task, const std::vector<at::Tensor>& inputs);

}  // namespace trl::runtime
