// y = W x for a few columns x: the products of decoding, which are bound by reading W once.
//
// Each warp multiplies tiles of 16 rows with a part of K. It streams W through a ring of its own in shared memory, where each lane
// reads back only what it copied itself, so nothing synchronises but the sums at a tile's end. The ring is filled before the
// previous kernel has ended.
//
// Rows of W and columns of x both lie along K. Within each 32 numbers of K, lane t of four takes numbers 8t … 8t + 7: as 16 bytes
// that is one load, and the same permutation of K on both sides leaves the sum as it is. Weights of 8 bits are stored so that the same
// holds (quantise.hpp): 16 bytes are numbers 8t … 8t + 7 of one 32 and of the next.
//
// Macros:
//   K          length of rows, a multiple of 32, or of 64 with BITS 8
//   BITS       of a weight: 16 (bf16), or 8: a whole number, times its row's scale
//   COLUMNS    columns of a block, a multiple of 8; blockIdx.y counts such groups of columns
//   SLICES     slices of K in a block: 16, 4 or 1
//   SERIAL     0: a warp takes one slice; 1: all slices of its block, one after another (for many columns; SLICES is 4 then)
//   TILES      warps beside each other, each with rows of its own
//   PER_WARP   tiles of 16 rows that a warp multiplies at once: several save reading x from shared memory
//   STAGES     of the ring, steps of 32 each
//   SHARED_BYTES  of shared memory, as products.cpp computes it
//   EPILOGUE   what becomes of the sums, below
//   CLUSTER    1: four blocks, each with a quarter of K, form a cluster and add up their sums (SLICES is 4 then)
#include "common.cuh"

constexpr int kParts = 0;   // out: f32 [kSlices / SLICES][columns][rows], to be summed by sum_parts
constexpr int kGated = 1;   // out: bf16 [columns][rows], silu(W x) (W2 x)
constexpr int kValues = 2;  // out: f32 [columns][rows]
constexpr int kGelu = 3;    // out: bf16 [columns][rows], gelu(W x + b)
static_assert(EPILOGUE == kParts || SLICES == 16 || CLUSTER, "other epilogues need the whole sum");

struct Product {
  const uint8* weight;         // [rows, K]
  const uint8* second;         // [rows, K], for kGated alone
  const float* scale;          // [rows], with BITS 8
  const float* second_scale;   // [rows], with BITS 8, for kGated alone
  const bf16* bias;            // [rows] or null, for kGelu alone
  const bf16* x;               // [columns, K]
  void* out;
  int rows, columns;
};

// A step is 64 bytes of a row.
constexpr int kStepBytes = 64;
constexpr int kStepK = BITS == 8 ? 64 : 32;
constexpr int64 kRowOfWeights = static_cast<int64>(K) * BITS / 8;
constexpr int kSteps = K / kStepK;
static_assert(K % kStepK == 0);
__device__ constexpr int first_step(int slice) { return slice * kSteps / kSlices; }
constexpr int kSlicesOfWarp = SERIAL ? SLICES : 1;
constexpr int kWarps = SLICES / kSlicesOfWarp * TILES;
constexpr bool kSumsInMemory = kSlicesOfWarp < SLICES;
constexpr int kThreads = 32 * kWarps;
constexpr int kSplits = kSlices / SLICES;
constexpr int kColumnTiles = COLUMNS / 8;
constexpr int kTilesOfBlock = TILES * PER_WARP;
constexpr int kRowsInTile = EPILOGUE == kGated ? 8 : 16;  // a gated tile has 8 rows of W above 8 rows of W2
// Rows of x in shared memory lie 64 bytes beside a multiple of 128 apart, so that eight lanes read from all banks.
__device__ constexpr int most_steps() {
  int most = 0;
  for (int split = 0; split < kSplits; ++split) {
    const int steps = first_step((split + 1) * SLICES) - first_step(split * SLICES);
    if (steps > most) most = steps;
  }
  return most;
}
constexpr int kRowBytes = (most_steps() * kStepK * 2 + 127) / 128 * 128 + 64;
constexpr int kStageBytes = PER_WARP * 1024;
constexpr int kRingBytes = STAGES * kStageBytes;
// A tile's sums: [COLUMNS][16 rows], 20 apart, for the same reason.
constexpr int kSumStride = 20;
constexpr int kTileSums = COLUMNS * kSumStride;
// A quarter's sums that wait for the other blocks of the cluster: two sets where there is room.
constexpr int kShares = SERIAL ? 1 : 2;

extern "C" __device__ constexpr int shared_bytes = COLUMNS * kRowBytes + kWarps * kRingBytes +
                                               (kSumsInMemory ? kWarps * PER_WARP * kTileSums * 4 : 0) +
                                               (CLUSTER ? kShares * kTilesOfBlock * kTileSums * 4 : 0);
// The formula of products.cpp, which passes what it expects.
static_assert(shared_bytes == SHARED_BYTES);
extern "C" __device__ const int threads = kThreads;

__device__ __forceinline__ int columns_of_block(const Product& p) {
  return min(p.columns - static_cast<int>(blockIdx.y) * COLUMNS, COLUMNS);
}

__device__ __forceinline__ void finish(const Product& p, int split, int tile, int row, int column, float value, float second) {
  const int64 at = static_cast<int64>(tile) * kRowsInTile + row;
  if (at >= p.rows || column >= columns_of_block(p)) return;
  const int64 place = static_cast<int64>(blockIdx.y * COLUMNS + column) * p.rows + at;
  if (BITS == 8) {
    value *= p.scale[at];
    if (EPILOGUE == kGated) second *= p.second_scale[at];
  }
  if (EPILOGUE == kParts) static_cast<float*>(p.out)[static_cast<int64>(split) * p.columns * p.rows + place] = value;
  if (EPILOGUE == kValues) static_cast<float*>(p.out)[place] = value;
  if (EPILOGUE == kGated) static_cast<bf16*>(p.out)[place] = to_bf16(silu(value) * second);
  if (EPILOGUE == kGelu) static_cast<bf16*>(p.out)[place] = to_bf16(gelu_tanh(value + (p.bias ? to_float(p.bias[at]) : 0.0f)));
}

#if BITS == 8
// Four whole numbers from -128 to 127, stored 128 above them, as bf16, which has them all. 8,388,608 + n is the f32 number
// whose lowest bits are n. (Sums of bf16 pairs take fewer instructions, and were a tenth slower on an H200.)
__device__ __forceinline__ void widen_four(uint32 bytes, uint32& low, uint32& high) {
  float x[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) x[i] = __uint_as_float(__byte_perm(bytes, 0x4B000000u, 0x7650 + i)) - 8388736.0f;
  low = pack(x[0], x[1]);
  high = pack(x[2], x[3]);
}
__device__ __forceinline__ Bytes16 widen(uint32 first, uint32 second) {
  Bytes16 out;
  widen_four(first, out.word[0], out.word[1]);
  widen_four(second, out.word[2], out.word[3]);
  return out;
}
#endif

extern "C" __global__ __launch_bounds__(kThreads) void product(const Product p) {
  extern __shared__ __align__(128) uint8 memory[];
  uint8* const xs = memory;                                                // [COLUMNS][kRowBytes]
  uint8* const ring = xs + COLUMNS * kRowBytes;                            // [warps][STAGES][PER_WARP][1024]
  float* const sums = reinterpret_cast<float*>(ring + kWarps * kRingBytes);  // [warps][PER_WARP][kTileSums]
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const int slice_here = SERIAL ? 0 : warp % SLICES, place_here = SERIAL ? warp : warp / SLICES;
  const int split = blockIdx.x % kSplits, block = blockIdx.x / kSplits, blocks = gridDim.x / kSplits;
  const int slice = split * SLICES + slice_here;
  const int begin = first_step(slice), steps = first_step(slice + kSlicesOfWarp) - begin;
  const int first = first_step(split * SLICES), last = first_step(split * SLICES + SLICES);
  const int tiles = (p.rows + kRowsInTile - 1) / kRowsInTile, groups = (tiles + kTilesOfBlock - 1) / kTilesOfBlock;
  const auto tile_of = [&](int group, int i) { return group * kTilesOfBlock + place_here * PER_WARP + i; };

  // The next step to copy. Rows past the end are replaced by the last row, and their sums are not written.
  int next_group = block, next_step = 0, next_stage = 0;
  const uint8 *upper[PER_WARP], *lower[PER_WARP];
  uint8* const my_ring = ring + warp * kRingBytes + lane * 16;
  const uint32 my_ring_address = shared_address(my_ring);
  const auto copy_next = [&] {
    if (next_group < groups && steps > 0) {
      if (next_step == 0) {
        const int64 most = p.rows - 1, offset = static_cast<int64>(begin) * kStepBytes + t * 16;
#pragma unroll
        for (int i = 0; i < PER_WARP; ++i) {
          const int64 row = static_cast<int64>(tile_of(next_group, i)) * kRowsInTile + g;
          upper[i] = p.weight + (row < most ? row : most) * kRowOfWeights + offset;
          if (EPILOGUE == kGated) {
            lower[i] = p.second + (row < most ? row : most) * kRowOfWeights + offset;
          } else {
            lower[i] = p.weight + (row + 8 < most ? row + 8 : most) * kRowOfWeights + offset;
          }
        }
      }
#pragma unroll
      for (int i = 0; i < PER_WARP; ++i) {
        const uint32 to = my_ring_address + next_stage * kStageBytes + i * 1024;
        copy_async(to, upper[i] + next_step * kStepBytes);
        copy_async(to + 512, lower[i] + next_step * kStepBytes);
      }
      if (++next_step == steps) {
        next_step = 0;
        next_group += blocks;
      }
    }
    commit_copies();
    next_stage = next_stage + 1 == STAGES ? 0 : next_stage + 1;
  };
#pragma unroll
  for (int i = 0; i < STAGES - 1; ++i) copy_next();

  wait_for_previous();
  let_next_start();

  // x: [columns][first … last) into shared memory, by 16 bytes.
  const int columns = columns_of_block(p);
  const bf16* const x = p.x + static_cast<int64>(blockIdx.y) * COLUMNS * K;
  const int pieces = (last - first) * kStepK / 8;
  for (int column = warp; column < columns; column += kWarps) {
    const auto* const from = reinterpret_cast<const Bytes16*>(x + static_cast<int64>(column) * K + first * kStepK);
    const uint32 to = shared_address(xs + column * kRowBytes);
    for (int i = lane; i < pieces; i += 32) copy_async(to + i * 16, from + i);
  }
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
  // A tile of columns may have columns past the last: they read the last one's x, and their sums are not written.
  const uint8* x_rows[kColumnTiles];
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c) {
    const int column = c * 8 + g < columns ? c * 8 + g : columns - 1;
    x_rows[c] = xs + column * kRowBytes + (begin - first) * kStepK * 2 + t * 16;
  }

#if CLUSTER && __CUDA_ARCH__ >= 900
  // A quarter's sums wait here for the other blocks of the cluster.
  float* const shares = sums + (kSumsInMemory ? kWarps * PER_WARP * kTileSums : 0);  // [kShares][kTilesOfBlock][kTileSums]
  int parity = 0, pending = -1;
  const auto finish_pending = [&] {
    const float* const share = shares + (SERIAL ? 0 : parity ^ 1) * kTilesOfBlock * kTileSums;
    // Four rows at once: each load from another block takes a microsecond.
    const auto whole = [&](const float* at) {
      FourFloats quarters[4], sum;
#pragma unroll
      for (int q = 0; q < 4; ++q) quarters[q] = load_four_of_block(at, q);
#pragma unroll
      for (int i = 0; i < 4; ++i) sum.x[i] = quarters[0].x[i] + quarters[1].x[i] + quarters[2].x[i] + quarters[3].x[i];
      return sum;
    };
    constexpr int kFours = kRowsInTile / 4;
    for (int i = threadIdx.x + split * kThreads; i < kTilesOfBlock * COLUMNS * kFours; i += 4 * kThreads) {
      const int row = i % kFours * 4, column = i / kFours % COLUMNS, tile = i / kFours / COLUMNS;
      if (column >= columns) continue;
      const float* const at = share + tile * kTileSums + column * kSumStride + row;
      const FourFloats values = whole(at), seconds = EPILOGUE == kGated ? whole(at + 8) : FourFloats{};
#pragma unroll
      for (int j = 0; j < 4; ++j)
        finish(p, 0, pending * kTilesOfBlock + tile, row + j, column, values.x[j], seconds.x[j]);
    }
  };
#endif
  const auto put = [&](float* to, const float(&tile)[kColumnTiles][4]) {
#pragma unroll
    for (int c = 0; c < kColumnTiles; ++c) {
      float* const at = to + (c * 8 + 2 * t) * kSumStride + g;
      at[0] = tile[c][0];
      at[kSumStride] = tile[c][1];
      at[8] = tile[c][2];
      at[kSumStride + 8] = tile[c][3];
    }
  };

  int stage = 0;
  for (int group = block; group < groups; group += blocks) {
    float sum[PER_WARP][kColumnTiles][4] = {};
#if SERIAL
    float quarter[PER_WARP][kColumnTiles][4];
#endif
#pragma unroll 1
    for (int i = 0; i < kSlicesOfWarp; ++i) {
      const int from = first_step(slice + i) - begin, to = first_step(slice + i + 1) - begin;
#pragma unroll 1
      for (int step = from; step < to; ++step) {
        wait_for_copies<STAGES - 2>();
        Bytes16 a[PER_WARP], b[PER_WARP];
#pragma unroll
        for (int w = 0; w < PER_WARP; ++w) {
          const uint8* const at = my_ring + stage * kStageBytes + w * 1024;
          a[w] = *reinterpret_cast<const Bytes16*>(at);
          b[w] = *reinterpret_cast<const Bytes16*>(at + 512);
        }
#pragma unroll
        for (int half = 0; half < kStepK / 32; ++half) {
          Bytes16 upper_rows[PER_WARP], lower_rows[PER_WARP];
#pragma unroll
          for (int w = 0; w < PER_WARP; ++w) {
#if BITS == 8
            upper_rows[w] = widen(a[w].word[2 * half], a[w].word[2 * half + 1]);
            lower_rows[w] = widen(b[w].word[2 * half], b[w].word[2 * half + 1]);
#else
            upper_rows[w] = a[w];
            lower_rows[w] = b[w];
#endif
          }
#pragma unroll
          for (int c = 0; c < kColumnTiles; ++c) {
            const auto v = *reinterpret_cast<const Bytes16*>(x_rows[c] + step * kStepK * 2 + half * 64);
#pragma unroll
            for (int w = 0; w < PER_WARP; ++w) {
              const Bytes16 &u = upper_rows[w], &l = lower_rows[w];
              multiply(sum[w][c], u.word[0], l.word[0], u.word[1], l.word[1], v.word[0], v.word[1]);
              multiply(sum[w][c], u.word[2], l.word[2], u.word[3], l.word[3], v.word[2], v.word[3]);
            }
          }
        }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        copy_next();
      }
#if SERIAL
#pragma unroll
      for (int w = 0; w < PER_WARP; ++w) {
#pragma unroll
        for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            quarter[w][c][j] = i == 0 ? sum[w][c][j] : quarter[w][c][j] + sum[w][c][j];
            sum[w][c][j] = 0;
          }
        }
      }
#endif
    }
#if SERIAL
    const auto& result = quarter;
#else
    const auto& result = sum;
#endif
#if SERIAL && CLUSTER && __CUDA_ARCH__ >= 900
    if (pending >= 0) cluster_wait();  // the others have read what was shared before
#pragma unroll
    for (int w = 0; w < PER_WARP; ++w) put(shares + (warp * PER_WARP + w) * kTileSums, result[w]);
    cluster_arrive();
    cluster_wait();
    pending = group;
    finish_pending();
    cluster_arrive();
#elif SERIAL || SLICES == 1
#pragma unroll
    for (int w = 0; w < PER_WARP; ++w) {
#pragma unroll
      for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          finish(p, split, tile_of(group, w), g + i / 2 * 8, c * 8 + 2 * t + i % 2, result[w][c][i], 0.0f);
      }
    }
#else
#pragma unroll
    for (int w = 0; w < PER_WARP; ++w) put(sums + (warp * PER_WARP + w) * kTileSums, result[w]);
    __syncthreads();
    const auto total = [&](int tile, int column, int row) {
      const int from = (tile / PER_WARP * SLICES * PER_WARP + tile % PER_WARP) * kTileSums;
      return sum_parts<SLICES>(sums + from + column * kSumStride + row, PER_WARP * kTileSums);
    };
#if CLUSTER && __CUDA_ARCH__ >= 900
    if (pending >= 0) {
      cluster_wait();
      finish_pending();
    }
    float* const share = shares + parity * kTilesOfBlock * kTileSums;
    for (int i = threadIdx.x; i < kTilesOfBlock * COLUMNS * 16; i += kThreads) {
      const int row = i % 16, column = i / 16 % COLUMNS, tile = i / 16 / COLUMNS;
      share[tile * kTileSums + column * kSumStride + row] = total(tile, column, row);
    }
    cluster_arrive();
    pending = group;
    parity ^= 1;
#else
    for (int i = threadIdx.x; i < kTilesOfBlock * COLUMNS * kRowsInTile; i += kThreads) {
      const int row = i % kRowsInTile, column = i / kRowsInTile % COLUMNS, tile = i / kRowsInTile / COLUMNS;
      if (column >= columns) continue;
      finish(p, split, group * kTilesOfBlock + tile, row, column, total(tile, column, row),
             EPILOGUE == kGated ? total(tile, column, row + 8) : 0.0f);
    }
#endif
    __syncthreads();
#endif
  }
  wait_for_copies<0>();
#if CLUSTER && __CUDA_ARCH__ >= 900
  if (pending >= 0) {
    cluster_wait();
    if (!SERIAL) finish_pending();
  }
  // No block ends while another still reads from it.
  cluster_arrive();
  cluster_wait();
#endif
}
