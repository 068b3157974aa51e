#pragma once
// A trial's inputs as tensors. Separate from inputs.hpp, which needs no torch.
#include <ATen/core/TensorBody.h>

#include <vector>

#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Drawn inputs in f64, in the task's order and shapes.
std::vector<at::Tensor> input_tensors(const Task& task, const Variation& variation,
                                      const std::vector<InputData>& inputs);

}  // namespace trl::runtime
