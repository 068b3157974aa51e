// The learning rate as a function of the step.
#pragma once

#include <cstdint>
#include <string>

namespace trl::runtime {

/// The rate rises linearly over the first `warmup` of the steps; then it is constant, or falls to zero
/// linearly or along half a cosine. The first step's rate is above zero.
struct Schedule {
  enum class Shape { constant, linear, cosine };
  Shape shape = Shape::cosine;
  double learning_rate = 0;  // the maximum
  double warmup = 0;         // fraction of the steps; the number of warmup steps is rounded up
  std::int64_t steps = 0;

  /// Returns the learning rate of a step, 0 ≤ step < steps.
  double at(std::int64_t step) const;
};

/// Returns the shape with this name. Throws UserError unless the name is constant, linear or cosine.
Schedule::Shape schedule_shape(const std::string& name);

}  // namespace trl::runtime
