// Matrices of few bits as bf16, computed in f32 and rounded once. No macros.
#include "common.cuh"

struct Dequantise {
  const uint8* values;  // int8: [out][in]; nf4: [out · in / 2], the first of two codes in the upper half
  const float* scale;   // int8: [out]; nf4: [out · in / 64]
  bf16* out;            // [out][in]
  int64 count;          // out · in, a multiple of 16
  int in;
};

// A thread takes eight numbers.
extern "C" __global__ void __launch_bounds__(256) dequantise_int8(Dequantise p) {
  const int64 i = 8 * (static_cast<int64>(blockIdx.x) * 256 + threadIdx.x);
  if (i >= p.count) return;
  const uint64 bytes = *reinterpret_cast<const uint64*>(p.values + i);
  const float scale = p.scale[i / p.in];
  Bytes16 out;
#pragma unroll
  for (int w = 0; w < 4; ++w)
    out.word[w] = pack(static_cast<float>(static_cast<signed char>(bytes >> (16 * w))) * scale,
                       static_cast<float>(static_cast<signed char>(bytes >> (16 * w + 8))) * scale);
  *reinterpret_cast<Bytes16*>(p.out + i) = out;
}

// The values of runtime/model/normal_float.hpp.
struct DequantiseCodes {
  Dequantise matrix;
  float values[16];
};

// A thread takes sixteen numbers, all of one block of 64.
extern "C" __global__ void __launch_bounds__(256) dequantise_nf4(DequantiseCodes p) {
  __shared__ float values[16];
  if (threadIdx.x < 16) {
    float value = p.values[0];
#pragma unroll
    for (int k = 1; k < 16; ++k)
      if (threadIdx.x == k) value = p.values[k];
    values[threadIdx.x] = value;
  }
  __syncthreads();
  const Dequantise& m = p.matrix;
  const int64 i = 16 * (static_cast<int64>(blockIdx.x) * 256 + threadIdx.x);
  if (i >= m.count) return;
  const uint64 bytes = *reinterpret_cast<const uint64*>(m.values + i / 2);
  const float scale = m.scale[i / 64];
  Bytes16 out[2];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const uint32 byte = static_cast<uint32>(bytes >> (8 * k)) & 0xffu;
    out[k / 4].word[k % 4] = pack(values[byte >> 4] * scale, values[byte & 15u] * scale);
  }
  *reinterpret_cast<Bytes16*>(m.out + i) = out[0];
  *reinterpret_cast<Bytes16*>(m.out + i + 8) = out[1];
}
