// Finds a task's dimensions from the shapes of its inputs, where extents are linear in a dimension, such as
// `2 * C` or `L + 24`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// If the extent is t * dimension + a term without this dimension, for all sizes and with t > 0, returns t.
/// Otherwise returns nothing, as for (H + 1) // 2.
std::optional<std::int64_t> times_in(const std::string& dimension, const Extent& extent);

/// A dimension whose size follows from the size of one axis of an input. The axis's size is `times` * the
/// dimension + the axis's size for dimension 0.
struct SolvedDim {
  std::string name;
  std::size_t input = 0, axis = 0;
  std::int64_t times = 1;
};
/// Returns the dimensions that follow from the inputs' shapes, each after the dimensions that it depends on.
/// Throws UserError if an extent has no value at small sizes.
std::vector<SolvedDim> solved_dims(const std::vector<TaskInput>& inputs);

}  // namespace trl::tasks
