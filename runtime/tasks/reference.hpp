// The reference of a task: its expression evaluated by ATen.
#pragma once

#include <ATen/core/TensorBody.h>

#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The task's value in f64 of inputs of any dtype, in the order of task.inputs; floats are converted to f64
/// first, indices to their dtype. Throws StageError when the number of inputs is wrong, or a shape.
at::Tensor reference(const Task& task, const std::vector<at::Tensor>& inputs);

/// As `reference`, computed in the inputs' own dtype: what the task costs in accuracy.
at::Tensor evaluate(const Task& task, const std::vector<at::Tensor>& inputs);

}  // namespace trl::runtime
