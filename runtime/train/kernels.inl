#include "runtime/model/rows.inl"
#include "runtime/train/product.inl"
#include "runtime/train/attention.inl"

void rms_norm_backward(const float* x, const float* weight, float epsilon, const float* dy,
                       std::int64_t width, float* dx) {
  Vector squares = {}, products = {};
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    squares += at(x + i) * at(x + i);
    products += at(x + i) * at(weight + i) * at(dy + i);
  }
  float square = sum(squares), inner = sum(products);
  for (; i < width; ++i) square += x[i] * x[i], inner += x[i] * weight[i] * dy[i];
  const float scale = 1.0F / __builtin_sqrtf(square / static_cast<float>(width) + epsilon);
  const float along = scale * scale * scale * inner / static_cast<float>(width);
  for (i = 0; i < width; ++i) dx[i] += dy[i] * weight[i] * scale - x[i] * along;
}

__attribute__((always_inline)) inline void gate_gradient(const float* gate, const float* up,
                                                         const float* d_out, float* d_gate, float* d_up) {
  const Vector g = at(gate), s = 1.0F / (1.0F + exponential(-g)), d = at(d_out);
  at(d_gate) = d * at(up) * s * (1.0F + g * (1.0F - s));
  at(d_up) = d * g * s;
}

void gate_backward(const float* gate, const float* up, const float* d_out, std::int64_t width, float* d_gate,
                   float* d_up) {
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) gate_gradient(gate + i, up + i, d_out + i, d_gate + i, d_up + i);
  if (i == width) return;
  float rest[5][kLanes] = {};
  for (std::int64_t j = i; j < width; ++j)
    rest[0][j - i] = gate[j], rest[1][j - i] = up[j], rest[2][j - i] = d_out[j];
  gate_gradient(rest[0], rest[1], rest[2], rest[3], rest[4]);
  for (std::int64_t j = i; j < width; ++j) d_gate[j] = rest[3][j - i], d_up[j] = rest[4][j - i];
}

typedef unsigned long long Words __attribute__((vector_size(64)));  // eight 32-bit words, each in 64 bits

// The 64-bit products of two vectors of 32-bit words.
__attribute__((always_inline)) inline Words times(Words a, Words b) {
#if defined(__AVX512F__)
  // The mask is written out because GCC 12 warns of the intrinsic without one.
  return reinterpret_cast<Words>(
      _mm512_maskz_mul_epu32(255, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#else
  return a * b;
#endif
}

// Computes Philox 4×32 for counters first … first + 7 (runtime/random.hpp): 64 half words in the order of the
// stream.
__attribute__((always_inline)) inline void philox_eight(RandomKey key, std::uint64_t first,
                                                        std::uint16_t* out) {
  constexpr Words low = Words{} + 0xFFFFFFFFULL;
  const Words number = Words{0, 1, 2, 3, 4, 5, 6, 7} + first;
  Words c0 = number & low, c1 = number >> 32, c2 = {}, c3 = {};
  std::uint32_t k0 = static_cast<std::uint32_t>(key.value), k1 = static_cast<std::uint32_t>(key.value >> 32);
  for (int round = 0; round < 10; ++round) {
    const Words p0 = times(c0, Words{} + 0xD2511F53ULL), p1 = times(c2, Words{} + 0xCD9E8D57ULL);
    c0 = (p1 >> 32) ^ c1 ^ (Words{} + k0);
    c2 = (p0 >> 32) ^ c3 ^ (Words{} + k1);
    c1 = p1 & low;
    c3 = p0 & low;
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  const Words front = c0 | c1 << 32, back = c2 | c3 << 32;
  const Words some = __builtin_shuffle(front, back, Words{0, 8, 1, 9, 2, 10, 3, 11});
  const Words others = __builtin_shuffle(front, back, Words{4, 12, 5, 13, 6, 14, 7, 15});
  __builtin_memcpy(out, &some, sizeof some);
  __builtin_memcpy(out + 32, &others, sizeof others);
}

void dropout(RandomKey key, std::int64_t count, std::uint32_t limit, std::uint8_t* kept) {
  for (std::int64_t first = 0; first < count; first += 64) {
    std::uint16_t halves[64];
    philox_eight(key, static_cast<std::uint64_t>(first / 8), halves);
    for (int i = 0; i < 64; ++i) kept[first + i] = halves[i] >= limit;
  }
}

void masked(const float* x, const std::uint8_t* kept, float scale, std::int64_t width, float* out) {
  for (std::int64_t i = 0; i < width; ++i) out[i] = x[i] * (static_cast<float>(kept[i]) * scale);
}

void add_masked(const float* x, const std::uint8_t* kept, float scale, std::int64_t width, float* out) {
  for (std::int64_t i = 0; i < width; ++i) out[i] += x[i] * (static_cast<float>(kept[i]) * scale);
}

// Replaces logits by exp(logit - the largest one), which is returned in `most`, and returns their sum.
__attribute__((always_inline)) inline float exponentials(float* logits, std::int64_t count, float& most) {
  most = logits[0];
  for (std::int64_t i = 1; i < count; ++i) most = logits[i] > most ? logits[i] : most;
  Vector total = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) total += at(logits + i) = exponential(at(logits + i) - most);
  float whole = sum(total);
  if (i < count) {
    float rest[kLanes] = {};
    for (std::int64_t j = i; j < count; ++j) rest[j - i] = logits[j] - most;
    at(rest) = exponential(at(rest));
    for (std::int64_t j = i; j < count; ++j) whole += logits[j] = rest[j - i];
  }
  return whole;
}

float cross_entropy(float* logits, std::int64_t count, std::int64_t target, float scale) {
  const float wanted = logits[target];
  float most = 0;
  const float whole = exponentials(logits, count, most);
  for (std::int64_t i = 0; i < count; ++i) logits[i] *= scale / whole;
  logits[target] -= scale;
  return most + __builtin_logf(whole) - wanted;
}

float log_probability(float* logits, std::int64_t count, std::int64_t target, float* entropy) {
  const float wanted = logits[target];
  float most = logits[0];
  for (std::int64_t i = 1; i < count; ++i) most = logits[i] > most ? logits[i] : most;
  // The entropy is log Σ exp(d) - Σ exp(d) d / Σ exp(d), with d = logit - the largest one.
  Vector products = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector d = at(logits + i) - most;
    products += exponential(d) * d;
  }
  float inner = sum(products);
  if (i < count) {
    float rest[kLanes] = {};
    for (std::int64_t j = i; j < count; ++j) rest[j - i] = logits[j] - most;
    at(rest) = exponential(at(rest)) * at(rest);
    for (std::int64_t j = i; j < count; ++j) inner += rest[j - i];
  }
  const float whole = exponentials(logits, count, most);
  *entropy = __builtin_logf(whole) - inner / whole;
  return -(most + __builtin_logf(whole) - wanted);
}
