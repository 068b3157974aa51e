// y = W x for a few columns x: the products of decoding, whose time is the time of reading W once. product.cuh
// describes the order of numbers in memory.
//
// Each warp multiplies tiles of 16 rows with a part of K. It streams W through its own ring in shared memory. The
// warps only synchronise for the sums at the end of a tile. The ring is filled before the previous kernel has ended.
//
// Macros, in addition to product.cuh's:
//   SERIAL     0: a warp takes one slice of K; 1: it takes the four slices of a quarter, one after another
//   TILES      the number of tiles that a block computes at once, each with its own warps
#include "product.cuh"

constexpr int kSlicesOfWarp = SERIAL ? kQuarter : 1;
constexpr int kWarpsOfTile = SLICES / kSlicesOfWarp;
static_assert(kWarpsOfTile * kSlicesOfWarp == SLICES);
constexpr int kWarps = kWarpsOfTile * TILES;
constexpr bool kSumsInMemory = kWarpsOfTile > 1;
constexpr int kThreads = 32 * kWarps;
constexpr int kRowsInTile = Stream::kRowsInTile;
// Rows of x and of z in shared memory start at distances of 64 bytes more than a multiple of 128, so that
// eight lanes read from all banks.
constexpr int kRowBytes = (most_steps() * kStepK * 2 + 127) / 128 * 128 + 64;
constexpr int kTailRowBytes = TAIL > 0 ? (TAIL * 2 + 127) / 128 * 128 + 64 : 0;
constexpr int kRingBytes = STAGES * kStageBytes;
// A tile's sums: [COLUMNS][16 rows], with 20 numbers from column to column, for the same reason.
constexpr int kSumStride = 20;
constexpr int kTileSums = COLUMNS * kSumStride;
// The number of sets of a quarter's sums that wait for the other blocks of the cluster: two, or one if a single warp
// has a tile.
constexpr int kShares = kSumsInMemory ? 2 : 1;

extern "C" __device__ constexpr int shared_bytes = COLUMNS * (kRowBytes + kTailRowBytes) + kWarps * kRingBytes + kTableBytes +
                                               (kSumsInMemory ? kWarps * kTileSums * 4 : 0) +
                                               (CLUSTER ? kShares * TILES * kTileSums * 4 : 0);
// products.cpp passes the result of the same formula.
static_assert(shared_bytes == SHARED_BYTES);
extern "C" __device__ const int threads = kThreads;

extern "C" __global__ __launch_bounds__(kThreads) void product(const Product p) {
  extern __shared__ __align__(128) uint8 memory[];
  uint8* const xs = memory;                                                // [COLUMNS][kRowBytes]
  uint8* const zs = xs + COLUMNS * kRowBytes;                              // [COLUMNS][kTailRowBytes]
  uint8* const rings = zs + COLUMNS * kTailRowBytes;                       // [warps][STAGES][kStageBytes]
  uint32* const table = reinterpret_cast<uint32*>(rings + kWarps * kRingBytes);
  float* const sums = reinterpret_cast<float*>(rings + kWarps * kRingBytes + kTableBytes);  // [warps][kTileSums]
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const int part = warp % kWarpsOfTile, place = warp / kWarpsOfTile;
  const int split = blockIdx.x % kSplits, block = blockIdx.x / kSplits, blocks = gridDim.x / kSplits;
  const int slice = split * SLICES + part * kSlicesOfWarp;
  const int first = first_step(split * SLICES), last = first_step(split * SLICES + SLICES);
  Stream stream(p, rings + warp * kRingBytes, block * TILES + place, blocks * TILES, slice, kSlicesOfWarp);
  const int groups = (stream.tiles + TILES - 1) / TILES;
  stream.fill();
#if BITS == 4
  fill_table(table);
#endif

  wait_for_x();

  // Copies x [columns][first … last) into shared memory, 16 bytes at a time.
  const int columns = columns_of_block(p);
  const int64 column_before = static_cast<int64>(blockIdx.y) * COLUMNS;
  const int pieces = (last - first) * kStepK / 8;
  for (int column = warp; column < columns; column += kWarps) {
    const auto* const from = reinterpret_cast<const Bytes16*>(p.x + (column_before + column) * K + first * kStepK);
    const uint32 to = shared_address(xs + column * kRowBytes);
    for (int i = lane; i < pieces; i += 32) copy_async(to + i * 16, from + i);
  }
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
  // A tile of columns may reach past the last column. The surplus columns read the last column's x, and their
  // sums are not written.
  const uint8* x_rows[kColumnTiles];
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c) {
    const int column = c * 8 + g < columns ? c * 8 + g : columns - 1;
    x_rows[c] = xs + column * kRowBytes + (stream.begin - first) * kStepK * 2 + t * 16;
  }

#if CLUSTER && __CUDA_ARCH__ >= 900
  // Here a quarter's sums wait for the other blocks of the cluster.
  float* const shares = sums + (kSumsInMemory ? kWarps * kTileSums : 0);  // [kShares][TILES][kTileSums]
  int parity = 0, pending = -1;
  const auto finish_pending = [&] {
    const float* const share = shares + (kShares == 1 ? 0 : parity ^ 1) * TILES * kTileSums;
    // Adds up four rows at once, since each load from another block takes a microsecond.
    const auto whole = [&](const float* at) {
      FourFloats quarters[4], sum;
#pragma unroll
      for (int q = 0; q < 4; ++q) quarters[q] = load_four_of_block(at, q);
#pragma unroll
      for (int i = 0; i < 4; ++i) sum.x[i] = quarters[0].x[i] + quarters[1].x[i] + quarters[2].x[i] + quarters[3].x[i];
      return sum;
    };
    constexpr int kFours = kRowsInTile / 4;
    for (int i = threadIdx.x + split * kThreads; i < TILES * COLUMNS * kFours; i += 4 * kThreads) {
      const int row = i % kFours * 4, column = i / kFours % COLUMNS, tile = i / kFours / COLUMNS;
      if (column >= columns) continue;
      const float* const at = share + tile * kTileSums + column * kSumStride + row;
      const FourFloats values = whole(at), seconds = EPILOGUE == kGated ? whole(at + 8) : FourFloats{};
      const int64 above = static_cast<int64>(pending * TILES + tile) * kRowsInTile;
#pragma unroll
      for (int j = 0; j < 4; ++j) finish(p, 0, above + row + j, column, values.x[j], seconds.x[j]);
    }
  };
#endif
  const auto put = [&](float* to, const float(&sum)[kColumnTiles][4]) {
#pragma unroll
    for (int c = 0; c < kColumnTiles; ++c) {
      float* const at = to + (c * 8 + 2 * t) * kSumStride + g;
      at[0] = sum[c][0];
      at[kSumStride] = sum[c][1];
      at[8] = sum[c][2];
      at[kSumStride + 8] = sum[c][3];
    }
  };

  bool z_is_here = TAIL == 0;
  for (int group = block; group < groups; group += blocks) {
    float sum[kColumnTiles][4] = {};
#if SERIAL
    float quarter[kColumnTiles][4];
#endif
    float scale_upper, scale_lower;
    stream.scales_of(group * TILES + place, scale_upper, scale_lower);
    // Multiplies the columns' numbers at `x` by 16 rows of 32 numbers, and adds the products to `into`.
    const auto multiply_columns = [&](float(&into)[kColumnTiles][4], const Bytes16& u, const Bytes16& l, const auto& x) {
#pragma unroll
      for (int c = 0; c < kColumnTiles; ++c) {
        const auto v = *reinterpret_cast<const Bytes16*>(x(c));
        multiply(into[c], u.word[0], l.word[0], u.word[1], l.word[1], v.word[0], v.word[1]);
        multiply(into[c], u.word[2], l.word[2], u.word[3], l.word[3], v.word[2], v.word[3]);
      }
    };
#pragma unroll 1
    for (int i = 0; i < kSlicesOfWarp; ++i) {
      const int from = first_step(slice + i) - stream.begin, to = first_step(slice + i + 1) - stream.begin;
#pragma unroll 1
      for (int step = from; step < to; ++step) {
        Bytes16 a, b;
        FourFloats factors;
        stream.take(a, b, factors);
#if BITS == 4
#pragma unroll
        for (int block_of_64 = 0; block_of_64 < kScalesOfStep; ++block_of_64) {
          float partial[kColumnTiles][4] = {};
#pragma unroll
          for (int h = 2 * block_of_64; h < 2 * block_of_64 + 2; ++h)
            multiply_columns(partial, widen(a, h, table), widen(b, h, table),
                             [&](int c) { return x_rows[c] + step * kStepK * 2 + h * 64; });
#pragma unroll
          for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
            for (int j = 0; j < 4; ++j)
              sum[c][j] = __fmaf_rn(factors.x[j / 2 * 2 + block_of_64], partial[c][j], sum[c][j]);
          }
        }
#else
#pragma unroll
        for (int h = 0; h < kStepK / 32; ++h)
          multiply_columns(sum, widen(a, h, table), widen(b, h, table),
                           [&](int c) { return x_rows[c] + step * kStepK * 2 + h * 64; });
#endif
        stream.copy_next();
      }
      // Each slice's sums are multiplied by the scales of their rows, so that the result doesn't depend on which kernel
      // adds up slices.
      if (BITS == 8) {
#pragma unroll
        for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
          for (int j = 0; j < 4; ++j) sum[c][j] *= j < 2 ? scale_upper : scale_lower;
        }
      }
      if (TAIL > 0 && slice + i == kSlices - 1) {
        if (!z_is_here) {
          // Each warp that needs z copies all of it, so several warps write the same values.
          wait_for_z();
          for (int j = lane; j < columns * (TAIL / 8); j += 32)
            *reinterpret_cast<Bytes16*>(zs + j / (TAIL / 8) * kTailRowBytes + j % (TAIL / 8) * 16) =
                reinterpret_cast<const Bytes16*>(p.z + column_before * TAIL)[j];
          __syncwarp();
          z_is_here = true;
        }
#pragma unroll 1
        for (int step = 0; step < kTailSteps; ++step) {
          Bytes16 a, b;
          FourFloats factors;
          stream.take(a, b, factors);
          multiply_columns(sum, a, b, [&](int c) {
            const int column = c * 8 + g < columns ? c * 8 + g : columns - 1;
            return zs + column * kTailRowBytes + t * 16 + step * 64;
          });
          stream.copy_next();
        }
      }
#if SERIAL
#pragma unroll
      for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          quarter[c][j] = i == 0 ? sum[c][j] : quarter[c][j] + sum[c][j];
          sum[c][j] = 0;
        }
      }
#endif
    }
    if (!z_is_here) {
      wait_for_z();
      z_is_here = true;
    }
#if SERIAL
    const auto& result = quarter;
#else
    const auto& result = sum;
#endif
    if (!kSumsInMemory && !CLUSTER) {
      const int64 above = static_cast<int64>(group * TILES + place) * kRowsInTile;
#pragma unroll
      for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
        for (int i = 0; i < 4; ++i) finish(p, split, above + g + i / 2 * 8, c * 8 + 2 * t + i % 2, result[c][i], 0.0f);
      }
      continue;
    }
#if CLUSTER && __CUDA_ARCH__ >= 900
    if (!kSumsInMemory) {
      if (pending >= 0) cluster_wait();  // the other blocks have read the shares put before
      put(shares + place * kTileSums, result);
      cluster_arrive();
      cluster_wait();
      pending = group;
      finish_pending();
      cluster_arrive();
      continue;
    }
#endif
    put(sums + warp * kTileSums, result);
    __syncthreads();
    const auto total = [&](int tile, int column, int row) {
      return sum_parts<kWarpsOfTile>(sums + tile * kWarpsOfTile * kTileSums + column * kSumStride + row, kTileSums);
    };
#if CLUSTER && __CUDA_ARCH__ >= 900
    if (pending >= 0) {
      cluster_wait();
      finish_pending();
    }
    float* const share = shares + parity * TILES * kTileSums;
    for (int i = threadIdx.x; i < TILES * COLUMNS * 16; i += kThreads) {
      const int row = i % 16, column = i / 16 % COLUMNS, tile = i / 16 / COLUMNS;
      share[tile * kTileSums + column * kSumStride + row] = total(tile, column, row);
    }
    cluster_arrive();
    pending = group;
    parity ^= 1;
#else
    for (int i = threadIdx.x; i < TILES * COLUMNS * kRowsInTile; i += kThreads) {
      const int row = i % kRowsInTile, column = i / kRowsInTile % COLUMNS, tile = i / kRowsInTile / COLUMNS;
      if (column >= columns) continue;
      finish(p, split, static_cast<int64>(group * TILES + tile) * kRowsInTile + row, column, total(tile, column, row),
             EPILOGUE == kGated ? total(tile, column, row + 8) : 0.0f);
    }
#endif
    __syncthreads();
  }
  wait_for_copies<0>();
  if (!z_is_here) wait_for_z();
#if CLUSTER && __CUDA_ARCH__ >= 900
  if (pending >= 0) {
    cluster_wait();
    if (kSumsInMemory) finish_pending();
  }
  // No block may end while another one still reads from its shared memory.
  cluster_arrive_relaxed();
  cluster_wait();
#endif
}
