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
  double temperature = 1;  // logits are divided by it; with 0 the largest logit is taken
  std::int64_t top_k = 0;  // the number of likeliest tokens that may be drawn; 0: all tokens
  double top_p = 1;        // the share of the probability that the drawn tokens have together; 1: all tokens
};

/// Memory that is reused between calls.
struct DrawRoom {
  std::vector<float> weights, logits;
  std::vector<std::pair<float, std::uint64_t>> likely;
};

/// Returns the least logit that a drawn token may have, as device/draw.cu does; minus infinity if all tokens
/// may be drawn. Two limits apply in this order:
/// - Only the `top_k` largest logits are kept.
/// - Of the kept logits, only the largest are kept whose weights exp((x - max) / temperature) together reach
///   the share `top_p` of the sum of the kept logits' weights (nucleus sampling, Holtzman et al. 2020).
/// Logits equal to the least kept logit are kept, too. Weights are rounded to multiples of 2^-40, so that
/// sums don't depend on the order. `weights` are the weights of `logits`, for a temperature above 0.
float least_drawn(std::span<const float> logits, std::span<const float> weights, std::int64_t top_k,
                  double top_p, DrawRoom& room);

/// Draws token i with a probability proportional to exp(logits_i / temperature), among the tokens whose logit
/// is at least `least_drawn`. `u` ∈ [0, 1) decides: the first token is drawn whose cumulative probability
/// exceeds u. With temperature 0 the token with the largest logit is drawn.
Token draw(std::span<const float> logits, const Distribution& distribution, double u, DrawRoom& room);

/// Returns the log-probability of a token at temperature 1, among all tokens.
float score(std::span<const float> logits, Token token, DrawRoom& room);

}  // namespace trl::runtime
