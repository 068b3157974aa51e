// Evaluates a task on a small sample, to find out cheaply whether it is a fair question.
#pragma once

#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// A task's values on an 8 × 32 sample of normal quantiles times `factor`, with extremes, in f64 and in f32.
/// A matrix product is replaced by normal numbers with its deviation, 16 for K = 256, and in f32 with its
/// rounding errors; a sum is scaled to full size. Throws std::invalid_argument for an operator that the
/// generator can't write.
struct ProbeValues {
  std::vector<double> exact;
  std::vector<float> single;
  double largest = 0;  // the largest absolute value of any node; infinite if there is a NaN
  bool idle = false;   // whether some operator changes hardly any value
};
ProbeValues probe(const Task& task, double factor, double product_deviation = 16);

/// Whether the task is a fair question: all values are finite, f32 is well within the tolerance under every
/// variation, the output varies and fits f16, and no operator is without effect.
bool is_sane(const Task& task);

/// Whether the two tasks, which have one signature, give values that differ beyond any tolerance.
bool differ(const Task& a, const Task& b);

}  // namespace trl::runtime
