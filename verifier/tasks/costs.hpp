// Counts PyTorch's launches, bytes and operations for a task's reference, in eager mode on a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// One kernel that PyTorch launches for an operator of the reference.
struct OperatorCost {
  Operator op{};
  std::int64_t bytes_in = 0;  ///< distinct bytes that it reads
  std::int64_t bytes_out = 0;
  double flops = 0;
  bool product = false;  ///< whether the flops come from matrix products in f32
};

/// Returns the launches of the reference in the order of evaluation. A view needs no launch. A function that
/// PyTorch composes of others needs several. If an operator needs a tensor in the order of its memory, the
/// tensor may be copied first. Numbers have no bytes. `costs.cpp` lists the launches of each operator.
std::vector<OperatorCost> operator_costs(const Task& task, const Variation& variation);

/// Returns the bytes and operations of the reference if each operator that launches anything were computed in
/// one pass over memory, even if PyTorch composes it of several.
double single_pass_work(const Task& task, const Variation& variation);

}  // namespace trl::runtime
