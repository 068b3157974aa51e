// Prepares the inputs of LoRA's products: its matrices as units of 16 ranks in bf16, and the bits of dropout.
// No macros.
#include "common.cuh"

constexpr int kRank = 16;

// A matrix of an adapter in f32. Number (rank, column) lies at rank · rank_stride + column · column_stride.
struct Matrix {
  const float* from;
  bf16* by_rank;    // [units][16][columns]
  bf16* by_column;  // [units][columns][16]
  int64 rank_stride, column_stride;
  float scale;
  int ranks, columns;
};

struct Pack {
  const Matrix* matrices;
};

// blockIdx.y is the matrix. Each thread takes a column.
extern "C" __global__ void __launch_bounds__(128) pack_matrices(Pack p) {
  const Matrix m = p.matrices[blockIdx.y];
  const int units = (m.ranks + kRank - 1) / kRank;
  for (int c = blockIdx.x * 128 + threadIdx.x; c < m.columns; c += gridDim.x * 128) {
    for (int u = 0; u < units; ++u) {
      for (int r = 0; r < kRank; ++r) {
        const int rank = kRank * u + r;
        const bf16 value =
            to_bf16(rank < m.ranks ? m.scale * m.from[rank * m.rank_stride + c * m.column_stride] : 0.0f);
        m.by_rank[static_cast<int64>(rank) * m.columns + c] = value;
        m.by_column[(static_cast<int64>(u) * m.columns + c) * kRank + r] = value;
      }
    }
  }
}

struct Dropout {
  const uint64* keys;    // [rows] of the sequence
  const int* positions;  // [rows] in the sequence
  uint8* kept[7];        // of each module: [rows][width / 8]
  uint64 module[7];      // the part of the key that differs between modules
  int width[7];
  uint32 limit;  // a number is dropped if its 16 random bits are below this limit
};

// Draws the bits that runtime/adapter/dropout.hpp describes. blockIdx.x is the row, blockIdx.y the module.
extern "C" __global__ void __launch_bounds__(256) draw_dropout(Dropout p) {
  const int row = blockIdx.x;
  uint8* kept = p.kept[0];
  uint64 module = p.module[0];
  int width = p.width[0];
#pragma unroll
  for (int i = 1; i < 7; ++i)
    if (static_cast<int>(blockIdx.y) == i) kept = p.kept[i], module = p.module[i], width = p.width[i];
  const uint64 key = p.keys[row] ^ module;
  const int bytes = width / 8;
  for (int i = threadIdx.x; i < bytes; i += 256) {
    const uint64 counter = static_cast<uint64>(p.positions[row]) * bytes + i;
    uint32 words[4];
    philox(key, counter, words);
    uint32 byte = 0;
    for (int w = 0; w < 4; ++w) {
      byte |= ((words[w] & 0xffffu) >= p.limit ? 1u : 0u) << (2 * w);
      byte |= ((words[w] >> 16) >= p.limit ? 1u : 0u) << (2 * w + 1);
    }
    kept[static_cast<int64>(row) * bytes + i] = static_cast<uint8>(byte);
  }
}
