// Draws a token from logits.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// The distribution from which tokens are drawn.
struct Distribution {
  double temperature = 1;  // logits are divided by it; 0 takes the largest
  std::int64_t top_k = 0;  // 0: all tokens
  double top_p = 1;        // 1: all
};

/// Memory that is reused between calls.
struct DrawRoom {
  std::vector<float> weights, logits;
  std::vector<std::pair<float, std::uint64_t>> likely;
};

/// The least logit that may be drawn, as device/draw.cu finds it. First the top_k largest logits are left;
/// then, of these, the largest whose weights exp((x - max) / temperature) together reach the share top_p of
/// their sum (nucleus sampling, Holtzman et al. 2020). Logits that equal the least of them are left, too.
/// Weights are whole multiples of 2^-40, so that their sums don't depend on the order.
/// `weights` belong to `logits`; the temperature is above 0. Minus infinity where nothing is left out.
float least_drawn(std::span<const float> logits, std::span<const float> weights, std::int64_t top_k,
                  double top_p, DrawRoom& room);

/// Draws token i with a probability proportional to exp(logits_i / temperature), among the tokens
/// that `least_drawn` leaves, by inverting the distribution function at `u` ∈ [0, 1): the first i whose
/// cumulative probability exceeds u. Temperature 0 takes the largest logit.
Token draw(std::span<const float> logits, const Distribution& distribution, double u, DrawRoom& room);

/// The log-probability of a token at temperature 1, among all tokens.
float score(std::span<const float> logits, Token token, DrawRoom& room);

}  // namespace trl::runtime
