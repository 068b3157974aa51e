#include "runtime/sample/draw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "runtime/sample/kernels.hpp"

namespace trl::runtime {

float least_drawn(std::span<const float> logits, std::span<const float> weights, std::int64_t top_k,
                  double top_p, DrawRoom& room) {
  float least = -std::numeric_limits<float>::infinity();
  if (top_k > 0 && top_k < static_cast<std::int64_t>(logits.size())) {
    room.logits.assign(logits.begin(), logits.end());
    const auto last = room.logits.begin() + (top_k - 1);
    std::nth_element(room.logits.begin(), last, room.logits.end(), std::greater<>());
    least = *last;
  }
  if (!(top_p < 1)) return least;
  auto& likely = room.likely;
  likely.clear();
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (logits[i] < least) continue;
    const auto weight = static_cast<std::uint64_t>(weights[i] * 1099511627776.0F);
    if (weight == 0) continue;
    likely.emplace_back(logits[i], weight);
    all += weight;
  }
  // The share is rounded to single precision, as the kernel gets it.
  const double share = static_cast<float>(top_p);
  const auto target =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * static_cast<double>(all)));
  // Usually a few tokens have most of the probability, so only few need to be sorted.
  std::uint64_t reached = 0;
  const auto greater = [](const auto& a, const auto& b) { return a.first > b.first; };
  for (std::size_t sorted = 0, step = 64; sorted < likely.size(); step *= 4) {
    const auto begin = likely.begin() + static_cast<std::ptrdiff_t>(sorted);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(step, likely.size() - sorted));
    std::partial_sort(begin, end, likely.end(), greater);
    for (auto at = begin; at != end; ++at) {
      reached += at->second;
      if (reached >= target) return at->first;
    }
    sorted += static_cast<std::size_t>(end - begin);
  }
  return least;
}

Token draw(std::span<const float> logits, const Distribution& distribution, double u, DrawRoom& room) {
  if (distribution.temperature <= 0) {
    return static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  auto& weights = room.weights;
  weights.resize(logits.size());
  kernels().weights(logits.data(), static_cast<std::int64_t>(logits.size()),
                    static_cast<float>(distribution.temperature), weights.data());
  if (distribution.top_k > 0 || distribution.top_p < 1) {
    const float least = least_drawn(logits, weights, distribution.top_k, distribution.top_p, room);
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (logits[i] < least) weights[i] = 0;
  }
  double total = 0;
  for (const float weight : weights) total += weight;
  double cumulative = 0;
  Token last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    cumulative += weights[i];
    if (cumulative > u * total) return static_cast<Token>(i);
    if (weights[i] > 0) last = static_cast<Token>(i);
  }
  return last;
}

float score(std::span<const float> logits, Token token, DrawRoom& room) {
  auto& weights = room.weights;
  weights.resize(logits.size());
  kernels().weights(logits.data(), static_cast<std::int64_t>(logits.size()), 1, weights.data());
  double total = 0;
  for (const float weight : weights) total += static_cast<double>(weight);
  const float most = *std::max_element(logits.begin(), logits.end());
  return static_cast<float>(static_cast<double>(logits[static_cast<std::size_t>(token)] - most) -
                            std::log(total));
}

}  // namespace trl::runtime
