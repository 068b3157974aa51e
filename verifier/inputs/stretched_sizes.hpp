#pragma once
// Draws sizes at which one dimension of a task is several blocks long. A mistake that needs a second block
// along this dimension then shows, whatever the task's own sizes are.
#include <string>
#include <string_view>
#include <vector>

#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// A dimension, and the variations that stretch it, the longest first. An answer may refuse a size, for
/// instance if it holds a whole row in one block; it is then judged at the next size.
struct StretchedDim {
  std::string name;
  std::vector<Variation> variations;
};

/// Returns the dimensions that can be stretched, each with one or two variations. The stretched dimension's
/// size is odd and more than 4 · 1024. All other dimensions are small, so that the tensors have about as many
/// elements as a small task's. If the tensors or the work would still be too large, as with both axes of a
/// square matrix, the stretched size is smaller. If the task needs sizes with a certain divisor, the size is
/// a multiple of it. The task and the secret determine the sizes.
std::vector<StretchedDim> draw_stretched_sizes(const Task& task, std::string_view secret);

}  // namespace trl::runtime
