// The loops of training on the CPU, in f32, for one thread. They are compiled once for each vector
// instruction set.
#pragma once

#include <cstdint>

#include "base/support/random.hpp"

namespace trl::runtime {

/// The columns of a matrix are stored in panels of 32 columns: [columns / 32 rounded up][rows][32], zero
/// beyond the last.
constexpr std::int64_t kPanel = 32;
constexpr std::int64_t panels(std::int64_t columns) { return (columns + kPanel - 1) / kPanel; }
constexpr std::int64_t panelled(std::int64_t columns) { return panels(columns) * kPanel; }

/// A matrix product a b, which is stored in c [rows][width], or added to c if `add` is set. Element (i, k) of
/// a is a[i · a_row + k · a_step]. Columns 32 p … 32 p + 31 of row k of b are at b + p · b_panel + k · b_row.
/// `width` is a multiple of 16.
struct Product {
  std::int64_t rows, width, count;
  const float* a;
  std::int64_t a_row, a_step;
  const float* b;
  std::int64_t b_panel, b_row;
  float* c;
  std::int64_t c_row;
  bool add;
};

/// Attention of one document for one head of keys and values. Rows are positions, `stride` floats apart in
/// the joined matrix of queries, keys and values; its gradient has the same layout.
struct HeadAttention {
  std::int64_t length, head_size, groups, stride;
  const float *query, *key, *value;  // query: the first of `groups` consecutive query heads
  std::int64_t mixed_stride;
  float* mixed;          // [length][groups · head_size], written by forward
  float* normaliser;     // [groups][length]: the logarithm of the sum of exponentials, written by forward
  const float* d_mixed;  // backward: gradient of mixed, in its layout
  float *d_query, *d_key, *d_value;  // written by backward
  float* scratch;                    // attention_scratch(length, head_size) floats
};
std::int64_t attention_scratch(std::int64_t length, std::int64_t head_size);

struct TrainingKernels {
  void (*product)(const Product& product);
  /// out = x · weight / √(mean(x²) + epsilon), for one row.
  void (*rms_norm)(const float* x, const float* weight, float epsilon, std::int64_t width, float* out);
  /// Adds to dx the gradient of rms_norm's input, where dy is the gradient of its output.
  void (*rms_norm_backward)(const float* x, const float* weight, float epsilon, const float* dy,
                            std::int64_t width, float* dx);
  /// Rotates (x[i], x[i + half]) by an angle given as cosine[i], sine[i].
  void (*rotate)(float* x, const float* cosine, const float* sine, std::int64_t half);
  /// out = silu(gate) · up.
  void (*gate)(const float* gate, const float* up, std::int64_t width, float* out);
  void (*gate_backward)(const float* gate, const float* up, const float* d_out, std::int64_t width,
                        float* d_gate, float* d_up);
  void (*add)(float* x, const float* y, std::int64_t width);
  /// kept[e] = 1 where number e of the stream (adapter/dropout.hpp) is at least `limit`, else 0. `count` is a
  /// multiple of 8; up to 63 bytes past it are written.
  void (*dropout)(RandomKey key, std::int64_t count, std::uint32_t limit, std::uint8_t* kept);
  /// out = x · kept · scale.
  void (*masked)(const float* x, const std::uint8_t* kept, float scale, std::int64_t width, float* out);
  /// out += x · kept · scale.
  void (*add_masked)(const float* x, const std::uint8_t* kept, float scale, std::int64_t width, float* out);
  void (*attention)(const HeadAttention& head);
  void (*attention_backward)(const HeadAttention& head);
  /// Returns the cross entropy of one row of logits, and replaces the logits by their gradient times `scale`.
  float (*cross_entropy)(float* logits, std::int64_t count, std::int64_t target, float scale);
  /// Returns the log-probability of the target in one row of logits: exactly the negative of the result of
  /// `cross_entropy`. `entropy` receives the entropy of the row's distribution in nats. The logits are
  /// overwritten.
  float (*log_probability)(float* logits, std::int64_t count, std::int64_t target, float* entropy);
};

/// The kernels for this machine's vector instruction set.
const TrainingKernels& training_kernels();

}  // namespace trl::runtime
