#include "runtime/sample/draw.hpp"

#include <algorithm>

#include "runtime/sample/kernels.hpp"

namespace trl::runtime {

Token draw(std::span<const float> logits, double temperature, double u, std::vector<float>& scratch) {
  if (temperature <= 0) {
    return static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  scratch.resize(logits.size());
  kernels().weights(logits.data(), static_cast<std::int64_t>(logits.size()), static_cast<float>(temperature),
                    scratch.data());
  double total = 0;
  for (const float weight : scratch) total += weight;
  double cumulative = 0;
  Token last = 0;
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    cumulative += scratch[i];
    if (cumulative > u * total) return static_cast<Token>(i);
    if (scratch[i] > 0) last = static_cast<Token>(i);
  }
  return last;
}

}  // namespace trl::runtime
