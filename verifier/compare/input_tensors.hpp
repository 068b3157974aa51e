#pragma once
// Converts the inputs of a trial to tensors. This is separate from inputs.hpp, so that inputs.hpp doesn't
// need torch.
#include <ATen/core/TensorBody.h>

#include <vector>

#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Returns the drawn inputs as f64 tensors with the task's shapes, in the order of the task's inputs.
std::vector<at::Tensor> input_tensors(const Task& task, const Variation& variation,
                                      const std::vector<InputData>& inputs);

}  // namespace trl::runtime
