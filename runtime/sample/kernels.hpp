// The loops of decoding on the CPU, except matrix products. Each call computes one row.
#pragma once

#include <cstdint>

namespace trl::runtime {

/// Keys and values of one head for `length` positions:
/// - keys: blocks of 16 positions, [length / 16 rounded up][head_size][16];
/// - values: [length][padded(head_size)].
struct HeadCache {
  const float* keys = nullptr;
  const float* values = nullptr;
  std::int64_t length = 0;
};

/// Returns the length of a row of values in memory: `size` rounded up to a multiple of 16.
constexpr std::int64_t padded(std::int64_t size) { return (size + 15) / 16 * 16; }

struct Kernels {
  /// out = x · weight / √(mean(x²) + epsilon).
  void (*rms_norm)(const float* x, const float* weight, float epsilon, std::int64_t width, float* out);
  /// out = (x - mean(x)) / √(variance(x) + epsilon) · weight + bias.
  void (*layer_norm)(const float* x, const float* weight, const float* bias, float epsilon,
                     std::int64_t width, float* out);
  /// Rotates (x[i], x[i + half]) by an angle given as cosine[i], sine[i].
  void (*rotate)(float* x, const float* cosine, const float* sine, std::int64_t half);
  /// out = silu(gate) · up.
  void (*gate)(const float* gate, const float* up, std::int64_t width, float* out);
  /// out = gelu(x) with the tanh approximation, x / (1 + exp(-2 √(2/π) (x + 0.044715 x³))).
  void (*gelu)(const float* x, std::int64_t width, float* out);
  /// x += y.
  void (*add)(float* x, const float* y, std::int64_t width);
  /// Computes attention at one position for `groups` query heads that share the keys and values in `pieces`,
  /// an array of `parts` pieces. query [groups][head_size]; out [groups][head_size]; scores: scratch memory
  /// of `groups` · (sum of the pieces' lengths, each after `padded`) floats.
  void (*attend)(const float* query, std::int64_t groups, std::int64_t head_size, const HeadCache* pieces,
                 std::int64_t parts, float* scores, float* out);
  /// out = exp((x - max(x)) / temperature).
  void (*weights)(const float* x, std::int64_t count, float temperature, float* out);
};

/// The kernels for this machine's vector instruction set.
const Kernels& kernels();

}  // namespace trl::runtime
