// Dimensions whose sizes can be read off the inputs' shapes, from expressions of them such as `2 * C` or `L +
// 24`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// How often an extent counts a dimension: t where the extent is t * dimension + a rest without it, whatever
/// the sizes, and t > 0. Nothing otherwise, as for (H + 1) // 2.
std::optional<std::int64_t> times_in(const std::string& dimension, const Extent& extent);

/// A dimension whose size the shape of an input tells: the extent is `times` times the dimension, and what
/// the extent is where the dimension is 0.
struct SolvedDim {
  std::string name;
  std::size_t input = 0, axis = 0;
  std::int64_t times = 1;
};
/// In an order in which each follows from those before it. Throws UserError for an extent of which the values
/// at small sizes can't be found.
std::vector<SolvedDim> solved_dims(const std::vector<TaskInput>& inputs);

}  // namespace trl::tasks
