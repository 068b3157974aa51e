// Computes the activation of a feed-forward layer from the partial sums of the layer's products. With many
// columns, adding the parts up here is faster than adding them up in a cluster.
//
// Macros: PARTS, GATED (1: silu(gate) up; 0: gelu(up + bias)).
#include "common.cuh"

constexpr int kThreads = 256;
extern "C" __device__ const int threads = kThreads;

struct Gate {
  const float* gate;  // [PARTS][columns][inner], with GATED
  const float* up;    // [PARTS][columns][inner]
  const bf16* bias;   // [inner] or null, without GATED
  bf16* out;          // [columns][inner]
  int columns, inner; // inner is a multiple of 4
};

__device__ __forceinline__ FourFloats whole(const float* from, int64 stride) {
  FourFloats parts[PARTS], sum;
#pragma unroll
  for (int i = 0; i < PARTS; ++i) parts[i] = *reinterpret_cast<const FourFloats*>(from + i * stride);
#pragma unroll
  for (int j = 0; j < 4; ++j) sum.x[j] = sum_parts<PARTS>(&parts[0].x[j], 4);
  return sum;
}

/// Each thread computes four numbers of a column. blockIdx.y is the column.
extern "C" __global__ __launch_bounds__(kThreads) void gate(const Gate p) {
  wait_for_previous();
  let_next_start();
  const int at = (blockIdx.x * kThreads + threadIdx.x) * 4;
  if (at >= p.inner) return;
  const int64 place = static_cast<int64>(blockIdx.y) * p.inner + at, stride = static_cast<int64>(p.columns) * p.inner;
  const FourFloats up = whole(p.up + place, stride), gate = GATED ? whole(p.gate + place, stride) : FourFloats{};
  float out[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    out[j] = GATED ? silu(gate.x[j]) * up.x[j] : gelu_tanh(up.x[j] + (p.bias ? to_float(p.bias[at + j]) : 0.0f));
  *reinterpret_cast<uint64*>(p.out + place) = pack(out[0], out[1]) | static_cast<uint64>(pack(out[2], out[3])) << 32;
}
