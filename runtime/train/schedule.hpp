// The learning rate over a run.
#pragma once

#include <cstdint>
#include <string>

namespace trl::runtime {

/// Rises linearly over the first `warmup` of the steps, then constant, or falls to zero linearly or along
/// half a cosine. The first step has a rate above zero.
struct Schedule {
  enum class Shape { constant, linear, cosine };
  Shape shape = Shape::cosine;
  double learning_rate = 0;  // the highest
  double warmup = 0;         // fraction of the steps, rounded up to whole steps
  std::int64_t steps = 0;

  /// The rate of step 0 … steps - 1.
  double at(std::int64_t step) const;
};

/// Throws UserError for another word than constant, linear, cosine.
Schedule::Shape schedule_shape(const std::string& name);

}  // namespace trl::runtime
