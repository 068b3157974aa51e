// Tiles of LoRA's products.
#pragma once
#include "common.cuh"

/// Ranks of a unit.
constexpr int kRank = 16;

/// Expands two bits of a byte to a mask of two 16-bit numbers.
__device__ __forceinline__ uint32 mask_of(uint32 byte, int pair) {
  const uint32 bits = byte >> (2 * pair);
  return (bits & 1u) * 0xffffu | (bits & 2u) * 0x7fff8000u;
}

/// Returns eight numbers, each replaced by 0 if its bit is 0.
__device__ __forceinline__ Bytes16 keep(Bytes16 x, uint32 byte) {
  for (int i = 0; i < 4; ++i) x.word[i] &= mask_of(byte, i);
  return x;
}

__device__ __forceinline__ Bytes16 load(const bf16* from) { return *reinterpret_cast<const Bytes16*>(from); }

/// Loads rows `row` and `row` + 8 of low [rows][16], a lane's rows g and g + 8, as the first operand of
/// `multiply`.
__device__ __forceinline__ void load_low(uint32 (&a)[4], const bf16* low, int64 row, int t) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    a[i] = *reinterpret_cast<const uint32*>(low + (row + 8 * (i % 2)) * kRank + 2 * t + 8 * (i / 2));
}

/// Returns the row of b [columns][16] that stands for column n of tile q, one of four tiles. It is chosen so
/// that a lane's results are eight neighbouring columns: 8t to 8t + 7 of the 32 columns from `column` on.
__device__ __forceinline__ const bf16* row_of_tile(const bf16* b, int column, int q, int n, int t) {
  return b + static_cast<int64>(column + 8 * (n / 2) + 2 * q + n % 2) * kRank + 2 * t;
}
