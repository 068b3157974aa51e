// Evaluates a task on a handful of made-up numbers, to see whether it is worth asking: a cheap stand-in for
// real runs.
#pragma once

#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// A task's values on an 8 × 32 sample: normal quantiles times `factor`, extremes included; a matrix product
/// is drawn as normal numbers of a deviation, 16 for K = 256, a sum is scaled to full size. In f64, and in
/// f32 with the rounding errors of a long matrix product. Throws std::invalid_argument for an operator that
/// the generator doesn't write.
struct ProbeValues {
  std::vector<double> exact;
  std::vector<float> single;
  double largest = 0;  // absolute value of anything on the way; infinite when something is no number
  bool idle = false;   // some operator changes hardly anything
};
ProbeValues probe(const Task& task, double factor, double product_deviation = 16);

/// Is the task a fair question? Everything finite, f32 well within the tolerance at every variation, an
/// output that varies and that f16 can hold, and no operator that does nothing.
bool is_sane(const Task& task);

/// Do the two tasks (of one signature) give values that differ beyond any tolerance somewhere?
bool differ(const Task& a, const Task& b);

}  // namespace trl::runtime
