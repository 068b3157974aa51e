// Residual stream and norm: x += y; h = norm(x). One block for each column.
//
// Macros: HIDDEN (a multiple of 4), PARTS (the number of y's partial sums, as products leave them: 1, 4 or
// 16; 0 if x is the embedding of a token), LAYER_NORM (1: LayerNorm with a bias; 0: RMSNorm), Y_BF16 (1: y is
// bf16 [columns][HIDDEN], from a library's matrix product), EPSILON.
#include "common.cuh"

constexpr int kThreads = 512;
extern "C" __device__ const int threads = kThreads;

struct Norm {
  float* x;               // [columns][HIDDEN]
  const void* y;          // f32 [PARTS][columns][HIDDEN]
  const bf16* y_bias;     // [HIDDEN] or null
  const bf16* embedding;  // [vocabulary][HIDDEN], with PARTS 0
  const int* tokens;      // [columns], with PARTS 0
  const bf16* weight;     // [HIDDEN]
  const bf16* bias;       // [HIDDEN] or null, with LAYER_NORM
  bf16* h;                // [columns][HIDDEN]
  int columns;
};

struct Four {
  float x[4];
};
__device__ __forceinline__ Four load_four(const bf16* from) {
  const uint64 bits = *reinterpret_cast<const uint64*>(from);
  const uint32 a = static_cast<uint32>(bits), b = static_cast<uint32>(bits >> 32);
  return {low_float(a), high_float(a), low_float(b), high_float(b)};
}
constexpr int kPieces = (HIDDEN / 4 + kThreads - 1) / kThreads;

extern "C" __global__ __launch_bounds__(kThreads) void add_and_norm(const Norm p) {
  __shared__ float scratch[2][kThreads / 32];
  const int64 column = blockIdx.x;
  float* const x = p.x + column * HIDDEN;
  Four values[kPieces];
  // Weights may be read before the previous kernel has ended.
  Four weights[kPieces], biases[kPieces];
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int at = (i * kThreads + threadIdx.x) * 4;
    if (at >= HIDDEN) continue;
    weights[i] = load_four(p.weight + at);
    if (LAYER_NORM) biases[i] = p.bias ? load_four(p.bias + at) : Four{};
  }
  wait_for_previous();
  let_next_start();
  float sum = 0, squares = 0;
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int at = (i * kThreads + threadIdx.x) * 4;
    values[i] = Four{};
    if (at >= HIDDEN) continue;
#if PARTS == 0
    values[i] = load_four(p.embedding + static_cast<int64>(p.tokens[column]) * HIDDEN + at);
#else
    const auto old = *reinterpret_cast<const FourFloats*>(x + at);
#if Y_BF16
    const Four y = load_four(static_cast<const bf16*>(p.y) + column * HIDDEN + at);
#else
    FourFloats parts[PARTS];
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      parts[part] = *reinterpret_cast<const FourFloats*>(static_cast<const float*>(p.y) +
                                                         (part * static_cast<int64>(p.columns) + column) * HIDDEN + at);
    Four y;
#pragma unroll
    for (int j = 0; j < 4; ++j) y.x[j] = sum_parts<PARTS>(&parts[0].x[j], 4);
#endif
    const Four bias = p.y_bias ? load_four(p.y_bias + at) : Four{};
#pragma unroll
    for (int j = 0; j < 4; ++j) values[i].x[j] = old.x[j] + (y.x[j] + bias.x[j]);
#endif
    *reinterpret_cast<FourFloats*>(x + at) = FourFloats{values[i].x[0], values[i].x[1], values[i].x[2], values[i].x[3]};
#pragma unroll
    for (int j = 0; j < 4; ++j) sum += values[i].x[j];
#pragma unroll
    for (int j = 0; j < 4; ++j) squares += values[i].x[j] * values[i].x[j];
  }
  float mean = 0;
  if (LAYER_NORM) {
    mean = block_sum<kThreads>(sum, scratch[0]) / HIDDEN;
    squares = 0;
#pragma unroll
    for (int i = 0; i < kPieces; ++i) {
      if ((i * kThreads + static_cast<int>(threadIdx.x)) * 4 >= HIDDEN) continue;
#pragma unroll
      for (int j = 0; j < 4; ++j) squares += (values[i].x[j] - mean) * (values[i].x[j] - mean);
    }
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares, scratch[1]) / HIDDEN + static_cast<float>(EPSILON));
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int at = (i * kThreads + threadIdx.x) * 4;
    if (at >= HIDDEN) continue;
    float out[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      out[j] = (values[i].x[j] - mean) * scale * weights[i].x[j] + (LAYER_NORM ? biases[i].x[j] : 0.0f);
    *reinterpret_cast<uint64*>(p.h + column * HIDDEN + at) =
        pack(out[0], out[1]) | static_cast<uint64>(pack(out[2], out[3])) << 32;
  }
}
