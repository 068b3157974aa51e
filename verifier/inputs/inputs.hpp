#pragma once
// Draws a trial's inputs, after the candidate is committed (its kernels and plans fixed by a hash).
#include <string_view>
#include <vector>

#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Draws standard normal values times the variation's factor, rounded to each input's dtype, and indices
/// uniform below their bound; for `extreme`, the rows of extreme_inputs.hpp. The key is HMAC(secret,
/// commitment, variation). Outputs with few elements take several draws; draw number 1 and later ones have
/// keys of their own.
std::vector<InputData> draw_inputs(const Task& task, const Variation& variation, std::string_view secret,
                                   std::string_view commitment, int draw = 0);

/// The same inputs with every real number multiplied and rounded to its dtype; indices stay.
std::vector<InputData> scaled_inputs(const Task& task, const Variation& variation,
                                     std::vector<InputData> inputs, double factor);

}  // namespace trl::runtime
