// The reference of operators whose shape the task states, on ATen.
#pragma once

#include <ATen/core/TensorBody.h>

#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The value of a node of Form::Stated of its arguments' values. `sizes` are the dimensions'.
at::Tensor stated_value(const Expression& node, const std::vector<at::Tensor>& args, const Sizes& sizes);

}  // namespace trl::runtime
