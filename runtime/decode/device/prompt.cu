// The kernels for reading prompts, except matrix products and attention, for which libraries are used. One
// row is one token of one of several prompts.
//
// Macros: HEADS, KV_HEADS, HEAD, LAYERS, QK_NORM, EPSILON as for attention; INNER (width of the feed-forward
// layer), GATED.
#include "common.cuh"

constexpr int kPage = 128;
constexpr int kHalf = HEAD / 2;
constexpr int kWidth = (HEADS + 2 * KV_HEADS) * HEAD;
constexpr int64 kHeadOfPage = static_cast<int64>(kPage) * HEAD;
constexpr int64 kPageOfPool = static_cast<int64>(LAYERS) * 2 * KV_HEADS * kHeadOfPage;

struct Rotation {
  bf16* qkv;             // [rows][kWidth]; q and k are rotated in place
  const bf16* q_norm;    // [HEAD], with QK_NORM
  const bf16* k_norm;
  const float* cosine;   // [context][kHalf]
  const float* sine;
  bf16* pool;            // as in attention.cu
  const int* positions;  // [rows]; negative in a row of padding
  const int* pages;      // [rows]: the page in the pool of the row's position
  int layer;
};

/// Runs a block of 32 × 4 threads for each row. Its warps take the heads in turns.
extern "C" __global__ __launch_bounds__(128) void rotate_and_store(const Rotation p) {
  const int64 row = blockIdx.x;
  const int lane = threadIdx.x % 32, position = p.positions[row];
  if (position < 0) return;
  bf16* const own = p.pool + p.pages[row] * kPageOfPool + static_cast<int64>(p.layer) * 2 * KV_HEADS * kHeadOfPage +
                    static_cast<int64>(position % kPage) * HEAD;
  for (int head = threadIdx.x / 32; head < HEADS + 2 * KV_HEADS; head += 4) {
    bf16* const x = p.qkv + row * kWidth + head * HEAD;
    if (head >= HEADS + KV_HEADS) {
      bf16* const to = own + (KV_HEADS + head - HEADS - KV_HEADS) * kHeadOfPage;
      for (int i = lane; i < kHalf; i += 32) reinterpret_cast<uint32*>(to)[i] = reinterpret_cast<const uint32*>(x)[i];
      continue;
    }
    const bool is_key = head >= HEADS;
    float scale = 1;
    const bf16* weight = nullptr;
    if (QK_NORM) {
      weight = is_key ? p.k_norm : p.q_norm;
      float squares = 0;
      for (int i = lane; i < HEAD; i += 32) squares += to_float(x[i]) * to_float(x[i]);
      for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, step);
      scale = rsqrtf(squares / HEAD + static_cast<float>(EPSILON));
    }
    // Handles two numbers of each half at once.
    for (int i = 2 * lane; i < kHalf; i += 64) {
      uint32& first = *reinterpret_cast<uint32*>(x + i);
      uint32& second = *reinterpret_cast<uint32*>(x + i + kHalf);
      float low[2] = {low_float(first), high_float(first)}, high[2] = {low_float(second), high_float(second)};
      const float* const cosine = p.cosine + static_cast<int64>(position) * kHalf + i;
      const float* const sine = p.sine + static_cast<int64>(position) * kHalf + i;
      float a[2], b[2];
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        if (QK_NORM) {
          low[j] *= scale * to_float(weight[i + j]);
          high[j] *= scale * to_float(weight[i + j + kHalf]);
        }
        a[j] = low[j] * cosine[j] - high[j] * sine[j];
        b[j] = high[j] * cosine[j] + low[j] * sine[j];
      }
      first = pack(a[0], a[1]);
      second = pack(b[0], b[1]);
      if (is_key) {
        bf16* const to = own + (head - HEADS) * kHeadOfPage + i;
        *reinterpret_cast<uint32*>(to) = first;
        *reinterpret_cast<uint32*>(to + kHalf) = second;
      }
    }
  }
}

struct Activation {
  const bf16* gate;  // [rows][INNER], with GATED
  const bf16* up;    // [rows][INNER]
  bf16* out;         // [rows][INNER]; may be `up`
  int64 rows;
};

/// silu(gate) up, or gelu(up), of eight numbers at once; threads run over all rows.
extern "C" __global__ __launch_bounds__(256) void activate(const Activation p) {
  static_assert(INNER % 8 == 0);
  const int64 pieces = p.rows * (INNER / 8);
  const int64 stride = static_cast<int64>(gridDim.x) * 256;
  for (int64 i = static_cast<int64>(blockIdx.x) * 256 + threadIdx.x; i < pieces; i += stride) {
    const Bytes16 up = reinterpret_cast<const Bytes16*>(p.up)[i];
    const Bytes16 gate = GATED ? reinterpret_cast<const Bytes16*>(p.gate)[i] : Bytes16{};
    Bytes16 out;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      out.word[j] = GATED ? pack(silu(low_float(gate.word[j])) * low_float(up.word[j]),
                                 silu(high_float(gate.word[j])) * high_float(up.word[j]))
                          : pack(gelu_tanh(low_float(up.word[j])), gelu_tanh(high_float(up.word[j])));
    }
    reinterpret_cast<Bytes16*>(p.out)[i] = out;
  }
}

struct PageCopy {
  bf16* pool;
  const int* from;  // [count]
  const int* to;    // [count]
};

/// Copies whole pages, with a block for each layer and each pair of pages.
extern "C" __global__ __launch_bounds__(256) void copy_pages(const PageCopy p) {
  constexpr int64 pieces = 2 * KV_HEADS * kHeadOfPage / 8;
  const int64 layer = blockIdx.x * pieces;
  const auto* const from = reinterpret_cast<const Bytes16*>(p.pool + p.from[blockIdx.y] * kPageOfPool) + layer;
  auto* const to = reinterpret_cast<Bytes16*>(p.pool + p.to[blockIdx.y] * kPageOfPool) + layer;
  for (int64 i = threadIdx.x; i < pieces; i += 256) to[i] = from[i];
}
