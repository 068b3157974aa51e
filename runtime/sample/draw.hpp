// Draws a token from logits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// Draws token i with probability softmax(logits / temperature)_i by inverting the distribution function at
/// `u` ∈ [0, 1): the first i whose cumulative probability exceeds u. Temperature 0 takes the largest logit.
/// `scratch` is reused between calls.
Token draw(std::span<const float> logits, double temperature, double u, std::vector<float>& scratch);

}  // namespace trl::runtime
