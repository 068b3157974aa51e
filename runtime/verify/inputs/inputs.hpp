#pragma once
// A trial's inputs, drawn once a candidate is sealed.
#include <string_view>
#include <vector>

#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// Standard normal values times the variation's factor, rounded to each input's dtype, and indices evenly
/// below their bound; of `extreme`, what extreme_inputs.hpp says. Keyed by HMAC(secret, seal, variation);
/// draw number 1 and those after it, of outputs with few elements, have keys of their own.
std::vector<InputData> draw_inputs(const Task& task, const Variation& variation, std::string_view secret,
                                   std::string_view seal, int draw = 0);

/// The same with every number multiplied, rounded to its dtype; indices stay.
std::vector<InputData> scaled_inputs(const Task& task, const Variation& variation,
                                     std::vector<InputData> inputs, double factor);

/// The task's value in f64 of drawn inputs, in row-major order.
std::vector<double> reference_values(const Task& task, const Variation& variation,
                                     const std::vector<InputData>& inputs);

}  // namespace trl::runtime
