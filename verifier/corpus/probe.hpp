// Evaluates a random task on a small sample, to find out cheaply whether the task is well-conditioned.
#pragma once

#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// The values that `probe` computes, in f64 and f32. Inputs are 8 × 32 samples of normal quantiles times
/// `factor`, with extremes. A matrix product isn't computed but replaced by normal numbers of standard
/// deviation `product_deviation` (16 for K = 256), in f32 with the rounding errors of a product. A sum is
/// scaled to the full size. `probe` throws std::invalid_argument for an operator that the generator can't
/// write.
struct ProbeValues {
  std::vector<double> exact;
  std::vector<float> single;
  double largest =
      0;  // the largest absolute value of any subexpression; infinite if a value is infinite or NaN
  bool idle = false;  // whether the task has an operator that changes hardly any value
};
ProbeValues probe(const Task& task, double factor, double product_deviation = 16);

/// Whether the task is well-conditioned: all values are finite and fit f16, the errors of f32 are far below
/// the tolerance under every variation, the output isn't nearly constant, and every operator has an effect.
bool is_sane(const Task& task);

/// Whether two tasks with the same inputs give values that differ by more than any tolerance.
bool differ(const Task& a, const Task& b);

}  // namespace trl::runtime
