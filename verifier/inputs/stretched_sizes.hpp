#pragma once
// Draws sizes at which one dimension of a task is several blocks long, so that a mistake that needs a second
// block along it shows, whatever the task's own sizes are.
#include <string>
#include <string_view>
#include <vector>

#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// A dimension and the variations that stretch it, the longest first. An answer that refuses a size, as one
/// that holds a row in one block may, is judged at the next size.
struct StretchedDim {
  std::string name;
  std::vector<Variation> variations;
};

/// Returns the dimensions that can be stretched, each by one or two variations. A dimension's size is odd and
/// more than 4 · 1024, and all other dimensions are small, so that the tensors have about as many elements as
/// a small task's tensors. Where the tensors or the work would be too large for that, as with both axes of a
/// square matrix, the dimension is shorter; where the task needs a divisor, its size is a multiple. The task
/// and the secret draw the sizes.
std::vector<StretchedDim> draw_stretched_sizes(const Task& task, std::string_view secret);

}  // namespace trl::runtime
