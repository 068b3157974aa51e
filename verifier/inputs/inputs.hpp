#pragma once
// Draws the inputs of a trial. This happens after the candidate is committed: its kernels and plans are fixed
// by a hash, the commitment.
#include <string_view>
#include <vector>

#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Draws standard normal numbers times the variation's factor, rounded to each input's dtype, and for inputs
/// of indices uniform integers below their bound. For the variation `extreme` see extreme_inputs.hpp. The key
/// of the random numbers is HMAC(secret, commitment, variation). An output with few elements is tested with
/// several draws; `draw` is the number of the draw, and each draw from 1 on has its own key.
std::vector<InputData> draw_inputs(const Task& task, const Variation& variation, std::string_view secret,
                                   std::string_view commitment, int draw = 0);

/// Like `draw_inputs`, for inputs that are too large to be held: their elements are drawn when they are
/// needed (InputData::drawn), from the same distribution. Not for the variation `extreme`.
std::vector<InputData> large_inputs(const Task& task, const Variation& variation, std::string_view secret,
                                    std::string_view commitment);

/// Returns `inputs` with their real numbers multiplied by `factor`, moved to a number that the input may hold
/// (Domain::admitted) and rounded to its dtype. Integers, and inputs whose elements depend on each other
/// (one-hot, symmetric and triangular ones), don't change.
std::vector<InputData> scaled_inputs(const Task& task, const Variation& variation,
                                     std::vector<InputData> inputs, double factor);

}  // namespace trl::runtime
