// The products of LoRA: y += dropout(x) Aᵀ Bᵀ and its gradients, for rows of tokens that are packed after
// each other.
//
// A unit is 16 ranks of one module's adapter; the last is filled up with zeros. A launch takes UNITS units
// that read the same x. Dropout is one bit for each number: bit i % 8 of byte i / 8 of a row. All sums are in
// f32 and in an order that depends on the shapes alone.
//
// Macros: UNITS (1 to 4), MASKED (whether there is dropout).
#include "adapter.cuh"

constexpr int kThreads = 128;

struct Down {
  const bf16* x;         // [rows][x_stride]
  const bf16* a[4];      // of each unit: [16][k]
  const uint8* kept[4];  // of each unit: [rows][k / 8]
  float* parts;          // [gridDim.y][rows][16 · UNITS]
  int64 x_stride;
  int rows, k, steps;  // rows a multiple of 128, k of 32; a block sums `steps` steps of 32 numbers
};

// parts = x Aᵀ, for a part of the numbers of x. A warp takes 32 rows. Of each 32 numbers of a row, thread t
// of four holds numbers 8t to 8t + 7. The order in which a product takes the numbers is the same for x and
// for A, and so doesn't matter.
extern "C" __global__ void __launch_bounds__(kThreads) down(Down p) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int row = (blockIdx.x * (kThreads / 32) + threadIdx.x / 32) * 32 + g;
  const int begin = blockIdx.y * p.steps * 32;
  const int end = min(p.k, begin + p.steps * 32);
  float sum[2][UNITS][2][4] = {};
#pragma unroll 2
  for (int c = begin + 8 * t; c < end; c += 32) {
    Bytes16 x[4];
    for (int i = 0; i < 4; ++i) x[i] = load(p.x + (row + 8 * i) * p.x_stride + c);
#pragma unroll
    for (int u = 0; u < UNITS; ++u) {
      const Bytes16 b[2] = {load(p.a[u] + static_cast<int64>(g) * p.k + c),
                            load(p.a[u] + static_cast<int64>(g + 8) * p.k + c)};
      Bytes16 own[4];
      for (int i = 0; i < 4; ++i) {
        own[i] = x[i];
#if MASKED
        own[i] = keep(x[i], p.kept[u][static_cast<int64>(row + 8 * i) * (p.k / 8) + c / 8]);
#endif
      }
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < 2; ++n)
#pragma unroll
          for (int half = 0; half < 4; half += 2)
            multiply(sum[m][u][n], own[2 * m].word[half], own[2 * m + 1].word[half],
                     own[2 * m].word[half + 1], own[2 * m + 1].word[half + 1], b[n].word[half],
                     b[n].word[half + 1]);
    }
  }
  float* out = p.parts + static_cast<int64>(blockIdx.y) * p.rows * (kRank * UNITS);
  for (int m = 0; m < 2; ++m)
    for (int u = 0; u < UNITS; ++u)
      for (int n = 0; n < 2; ++n)
        for (int i = 0; i < 4; ++i) {
          const int64 r = row + 16 * m + 8 * (i / 2);
          out[r * (kRank * UNITS) + kRank * u + 8 * n + 2 * t + i % 2] = sum[m][u][n][i];
        }
}

struct Gather {
  const float* parts;  // [count][rows][16 · UNITS]
  bf16* low;           // [UNITS][rows][16], or null
  bf16* low_t;         // [UNITS][16][rows]
  float scale;         // the scale of the sums
  int rows, count;     // rows a multiple of 32
};

// Adds up the parts that `down` leaves, and writes the sums by rows and transposed. A block takes 32 rows.
extern "C" __global__ void __launch_bounds__(kThreads) gather(Gather p) {
  __shared__ bf16 tile[kRank * UNITS][34];
  constexpr int kColumns = kRank * UNITS;
  const int row = blockIdx.x * 32;
  for (int i = threadIdx.x; i < 32 * kColumns; i += kThreads) {
    const int r = i / kColumns, c = i % kColumns;
    const float* from = p.parts + static_cast<int64>(row + r) * kColumns + c;
    float sum = 0;
#pragma unroll 8
    for (int part = 0; part < p.count; ++part) sum += from[static_cast<int64>(part) * p.rows * kColumns];
    const bf16 value = to_bf16(sum * p.scale);
    tile[c][r] = value;
    if (p.low) p.low[(static_cast<int64>(c / kRank) * p.rows + row + r) * kRank + c % kRank] = value;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 32 * kColumns; i += kThreads)
    p.low_t[static_cast<int64>(i / 32) * p.rows + row + i % 32] = tile[i / 32][i % 32];
}

struct Up {
  bf16* y;               // [rows][y_stride]
  const bf16* low[4];    // of each unit: [rows][16]
  const bf16* b[4];      // of each unit: [columns][16]
  const uint8* kept[4];  // of each unit: [rows][columns / 8]
  int64 y_stride;
  float scale;  // of the added product
  int columns;  // a multiple of 32
  int steps;    // a block takes `steps` times 32 columns
};

// y += scale · Σ dropout(low Bᵀ), rounded once. A warp takes 32 rows.
extern "C" __global__ void __launch_bounds__(kThreads) up(Up p) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int row = (blockIdx.x * (kThreads / 32) + threadIdx.x / 32) * 32 + g;
  uint32 a[UNITS][2][4];
#pragma unroll
  for (int u = 0; u < UNITS; ++u)
#pragma unroll
    for (int m = 0; m < 2; ++m) load_low(a[u][m], p.low[u], row + 16 * m, t);
  const int begin = blockIdx.y * p.steps * 32;
  const int end = min(p.columns, begin + p.steps * 32);
  for (int c = begin; c < end; c += 32) {
    float add[4][8] = {};
#pragma unroll
    for (int u = 0; u < UNITS; ++u) {
      uint32 kept[4];
      for (int i = 0; i < 4; ++i) {
        kept[i] = 0xff;
#if MASKED
        kept[i] = p.kept[u][static_cast<int64>(row + 8 * i) * (p.columns / 8) + c / 8 + t];
#endif
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const bf16* b = row_of_tile(p.b[u], c, q, g, t);
        const uint32 b0 = *reinterpret_cast<const uint32*>(b), b1 = *reinterpret_cast<const uint32*>(b + 8);
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          float d[4] = {};
          multiply(d, a[u][m][0], a[u][m][1], a[u][m][2], a[u][m][3], b0, b1);
#pragma unroll
          for (int i = 0; i < 4; ++i)
            if (!MASKED || kept[2 * m + i / 2] >> (2 * q + i % 2) & 1u)
              add[2 * m + i / 2][2 * q + i % 2] += d[i];
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      bf16* at = p.y + (row + 8 * i) * p.y_stride + c + 8 * t;
      Bytes16 y = load(at);
      for (int w = 0; w < 4; ++w)
        y.word[w] = pack(low_float(y.word[w]) + p.scale * add[i][2 * w],
                         high_float(y.word[w]) + p.scale * add[i][2 * w + 1]);
      *reinterpret_cast<Bytes16*>(at) = y;
    }
  }
}

struct Outer {
  const bf16* x;         // [rows][x_stride]
  const bf16* low_t[4];  // of each unit: [16][rows]
  const uint8* kept[4];  // of each unit: [rows][columns / 8]
  float* parts;          // [gridDim.y][16 · UNITS][columns]
  int64 x_stride;
  int rows, columns, steps;  // rows a multiple of 16, columns of 64; a block sums `steps` steps of 16 rows
};

// parts = lowᵀ dropout(x), for a part of the rows. A block takes 64 columns, and its warps take steps in
// turns. Column n of tile q stands for column 8n + q.
extern "C" __global__ void __launch_bounds__(kThreads) outer(Outer p) {
  __shared__ float total[kRank * UNITS][64 + 1];
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x / 32;
  const int column = blockIdx.x * 64;
  const int begin = blockIdx.y * p.steps;
  const int end = min(p.rows / 16, begin + p.steps);
  float sum[UNITS][8][4] = {};
  for (int step = begin + warp; step < end; step += kThreads / 32) {
    const int row = 16 * step + 2 * t;
    Bytes16 x[4];
    for (int i = 0; i < 4; ++i) x[i] = load(p.x + (row + i % 2 + 8 * (i / 2)) * p.x_stride + column + 8 * g);
#pragma unroll
    for (int u = 0; u < UNITS; ++u) {
      uint32 a[4];
      for (int i = 0; i < 4; ++i)
        a[i] = *reinterpret_cast<const uint32*>(p.low_t[u] + static_cast<int64>(g + 8 * (i % 2)) * p.rows +
                                                row + 8 * (i / 2));
      Bytes16 own[4];
      for (int i = 0; i < 4; ++i) {
        own[i] = x[i];
#if MASKED
        own[i] =
            keep(x[i],
                 p.kept[u][static_cast<int64>(row + i % 2 + 8 * (i / 2)) * (p.columns / 8) + column / 8 + g]);
#endif
      }
#pragma unroll
      for (int q = 0; q < 8; ++q) {
        const uint32 selector = q % 2 ? 0x7632u : 0x5410u;
        multiply(sum[u][q], a[0], a[1], a[2], a[3],
                 __byte_perm(own[0].word[q / 2], own[1].word[q / 2], selector),
                 __byte_perm(own[2].word[q / 2], own[3].word[q / 2], selector));
      }
    }
  }
  for (int w = 0; w < kThreads / 32; ++w) {
    if (warp == w) {
      for (int u = 0; u < UNITS; ++u)
        for (int q = 0; q < 8; ++q)
          for (int i = 0; i < 4; ++i) {
            float& to = total[kRank * u + g + 8 * (i / 2)][8 * (2 * t + i % 2) + q];
            to = (w == 0 ? 0.0f : to) + sum[u][q][i];
          }
    }
    __syncthreads();
  }
  float* out = p.parts + static_cast<int64>(blockIdx.y) * (kRank * UNITS) * p.columns + column;
  for (int i = threadIdx.x; i < kRank * UNITS * 64; i += kThreads)
    out[static_cast<int64>(i / 64) * p.columns + i % 64] = total[i / 64][i % 64];
}

struct Accumulate {
  const float* parts;  // [count][16 · UNITS][columns]
  float* gradient[4];  // of each unit: its number (rank, column) lies at rank · rank_stride + column ·
                       // column_stride
  int ranks[4];        // the number of ranks of each unit
  int64 rank_stride, column_stride;
  float scale;
  int columns, count;
};

// gradient += scale · the sum of the parts that `outer` leaves. blockIdx.y is a row of the parts.
extern "C" __global__ void __launch_bounds__(kThreads) accumulate(Accumulate p) {
  const int rank = blockIdx.y % kRank;
  float* gradient = p.gradient[0];
  int ranks = p.ranks[0];
#pragma unroll
  for (int u = 1; u < UNITS; ++u)
    if (static_cast<int>(blockIdx.y) / kRank == u) gradient = p.gradient[u], ranks = p.ranks[u];
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (rank >= ranks || c >= p.columns) return;
  const float* from = p.parts + static_cast<int64>(blockIdx.y) * p.columns + c;
  float sum = 0;
  for (int part = 0; part < p.count; ++part)
    sum += from[static_cast<int64>(part) * (kRank * UNITS) * p.columns];
  gradient[rank * p.rank_stride + c * p.column_stride] += p.scale * sum;
}
