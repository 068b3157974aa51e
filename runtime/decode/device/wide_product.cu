// y = W x for 17 to 64 columns on GPUs of compute capability 9.0. product.cuh describes the order of numbers in
// memory, and product.cu the parts that are the same there.
//
// Four warps multiply a tile of 64 rows at once (wgmma): their weights come from registers, as in product.cu,
// and the columns from shared memory, which is read once for all four. With so many columns, reading them for
// each warp would take most of the time. Sums equal product.cu's to the bit (the tests compare them).
//
// Macros, in addition to product.cuh's:
//   GROUPS     the number of groups of four warps in a block, each with its own tiles
#include "product.cuh"

static_assert(COLUMNS == 32 || COLUMNS == 64);
static_assert(SLICES == 4 || SLICES == 1);
constexpr int kThreads = 128 * GROUPS;
constexpr int kRowsOfWarp = Stream::kRowsInTile;
constexpr int kSums = COLUMNS / 2;  // a lane's numbers of a tile
// The numbers along K lie in shared memory in pieces of 8: [piece][COLUMNS][8] bf16, as wgmma reads them.
constexpr int kPieceBytes = COLUMNS * 16;
constexpr int kColumnBytes = (most_steps() * kStepK + TAIL) / 8 * kPieceBytes;
constexpr int kRingBytes = STAGES * kStageBytes;
// With CLUSTER: room for the sums that the four blocks send to each other for a group's tile, [4][kSums /
// 4][32] pieces of 16 bytes.
constexpr int kSentBytes = CLUSTER ? 4 * kSums * 32 * 4 : 0;
constexpr int kBarrierBytes = CLUSTER ? GROUPS * 5 * 8 : 0;
extern "C" __device__ constexpr int shared_bytes =
    kColumnBytes + 4 * GROUPS * kRingBytes + kTableBytes + GROUPS * kSentBytes + kBarrierBytes;
static_assert(shared_bytes == SHARED_BYTES);
extern "C" __device__ const int threads = kThreads;

#if __CUDA_ARCH_FEAT_SM90_ALL
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_wait(float (&d)[kSums]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  // Keeps the compiler from moving anything that reads the sums before this point.
#pragma unroll
  for (int i = 0; i < kSums; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

/// Computes d = a b, or d += a b with `more`, for a tile of 64 × 16 in the registers of four warps and 16 ×
/// COLUMNS in shared memory, two pieces of 8 numbers from `at` on (PTX, wgmma.mma_async, matrices without
/// swizzling).
__device__ __forceinline__ void wgmma(float (&d)[kSums], uint32 a0, uint32 a1, uint32 a2, uint32 a3, uint32 at, int more) {
  // In units of 16 bytes: the address of the start, the distance between pieces along K, and the distance
  // between groups of 8 columns.
  const uint64 columns = static_cast<uint64>((at & 0x3FFFF) >> 4) | static_cast<uint64>(kPieceBytes >> 4) << 16 |
                         static_cast<uint64>(128 >> 4) << 32;
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#if COLUMNS == 32
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %21, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
      "%15}, {%16, %17, %18, %19}, %20, p, 1, 1, 0;\n}"
      : FOUR(0), FOUR(4), FOUR(8), FOUR(12)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(columns), "r"(more)
      : "memory");
#else
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
      "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, p, 1, 1, "
      "0;\n}"
      : FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(columns), "r"(more)
      : "memory");
#endif
#undef FOUR
}

__device__ __forceinline__ void barrier_init(uint32 barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Arrives at a barrier of any block of the cluster. Values that were read before are in registers by then.
/// Earlier writes aren't announced, since announcing them would wait for all pending operations of this warp.
__device__ __forceinline__ void barrier_arrive(uint32 barrier) {
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// The barrier's phase ends when this number of bytes has been sent to it.
__device__ __forceinline__ void barrier_expect(uint32 barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ __forceinline__ void barrier_wait(uint32 barrier, int parity) {
  asm volatile(
      "{\n.reg .pred p;\nwait:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done;\nbra wait;\n"
      "done:\n}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}
/// Sends four numbers to a block's shared memory. Its barrier counts the bytes.
__device__ __forceinline__ void send_four(uint32 address, float a, float b, float c, float d, uint32 barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(address), "f"(a),
               "f"(b), "f"(c), "f"(d), "r"(barrier)
               : "memory");
}
#endif

extern "C" __global__ __launch_bounds__(kThreads) void product(const Product p) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(128) uint8 memory[];
  uint8* const xs = memory;
  uint8* const rings = xs + kColumnBytes;
  uint32* const table = reinterpret_cast<uint32*>(rings + 4 * GROUPS * kRingBytes);
  uint8* const sent = rings + 4 * GROUPS * kRingBytes + kTableBytes;
  const uint32 barriers = shared_address(sent + GROUPS * kSentBytes);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
  // The shuffle tells the compiler that these numbers are the same in all threads of a warp.
  const int group = __shfl_sync(0xffffffffu, warp / 4, 0), place = warp % 4;
  const int split = blockIdx.x % kSplits, block = blockIdx.x / kSplits, blocks = gridDim.x / kSplits;
  const int slice = split * SLICES;
  const int first = first_step(slice), last = first_step(slice + SLICES);
  // Each block's first group gets a tile before any second group does, so that all blocks have about as many busy
  // groups.
  const int first_tile = group * blocks + block, stride = GROUPS * blocks;
  const int wide_tiles = (p.rows + 4 * kRowsOfWarp - 1) / (4 * kRowsOfWarp);
  Stream stream(p, rings + warp * kRingBytes, first_tile * 4 + place, stride * 4, slice, SLICES);
  // All warps of a group take the same steps, even for rows past the end.
  stream.tiles = wide_tiles * 4;
  stream.fill();
#if BITS == 4
  fill_table(table);
#endif
  // Each group has one barrier for the sums that it receives, and one for each block to which it sends sums.
  if (CLUSTER && threadIdx.x < GROUPS * 5) barrier_init(barriers + threadIdx.x * 8, threadIdx.x % 5 == 0 ? 1 : 4);
  if (CLUSTER) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");

  wait_for_x();

  // `workers` threads copy `blocks_of_32` times 32 numbers of each column. Four threads take 32 neighbouring
  // numbers of a column, eight each, as lanes take weights; the pairs number i of all four become piece i.
  // The copies bypass the L1 cache, which may hold values that an earlier kernel read.
  const int columns = columns_of_block(p);
  const int64 column_before = static_cast<int64>(blockIdx.y) * COLUMNS;
  const auto place_columns = [&](const bf16* from, int64 pitch, int blocks_of_32, uint8* to, int worker, int workers) {
    constexpr int kAtOnce = 10;
    const int all = blocks_of_32 * COLUMNS * 4;
    for (int start = worker; start < all; start += kAtOnce * workers) {
      Bytes16 in[kAtOnce];
#pragma unroll
      for (int n = 0; n < kAtOnce; ++n) {
        const int i = start + n * workers, column = i / 4 % COLUMNS, k = i / 4 / COLUMNS;
        if (i < all && column < columns) in[n] = load_past_l1(from + (column_before + column) * pitch + k * 32 + i % 4 * 8);
      }
#pragma unroll
      for (int n = 0; n < kAtOnce; ++n) {
        const int i = start + n * workers, column = i / 4 % COLUMNS, k = i / 4 / COLUMNS;
        if (i >= all || column >= columns) continue;
        auto* const at = reinterpret_cast<uint32*>(to + k * 4 * kPieceBytes + column * 16) + i % 4;
#pragma unroll
        for (int piece = 0; piece < 4; ++piece) at[piece * (kPieceBytes / 4)] = in[n].word[piece];
      }
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  };
  place_columns(p.x + first * kStepK, K, (last - first) * kStepK / 32, xs, threadIdx.x, kThreads);
  uint8* const zs = xs + (last - first) * kStepK / 8 * kPieceBytes;
  __syncthreads();
#if CLUSTER
  // The barriers must be initialised before anybody arrives at them.
  cluster_arrive_relaxed();
  cluster_wait();
#endif
  const uint32 xs_address = shared_address(xs), zs_address = shared_address(zs);

#if CLUSTER
  // Block `split` finishes the rows of warp number `split` in every group.
  const uint32 full = barriers + group * 40, empty = full + 8;  // empty: one for each block that this one sends to
  uint8* const inbox = sent + group * kSentBytes;               // [4][kSums / 4][32]: of block, four numbers, lane
  int pending = -1, rounds_sent = 0, rounds_taken = 0;
  const bool expects = threadIdx.x % 128 == 0;
  if (expects) barrier_expect(full, kSentBytes);
  const auto finish_pending = [&](bool last) {
    barrier_wait(full, rounds_taken & 1);
    ++rounds_taken;
    if (expects && !last) barrier_expect(full, kSentBytes);
    const auto* const numbers = reinterpret_cast<const FourFloats*>(inbox);
    const int64 above = static_cast<int64>(pending) * 4 * kRowsOfWarp + split * kRowsOfWarp;
#pragma unroll
    for (int i = 0; i < kSums / 16; ++i) {
      const int c = place * (kSums / 16) + i;
      FourFloats quarters[4], sum;
#pragma unroll
      for (int q = 0; q < 4; ++q) quarters[q] = numbers[(q * (kSums / 4) + c) * 32 + lane];
#pragma unroll
      for (int j = 0; j < 4; ++j) sum.x[j] = quarters[0].x[j] + quarters[1].x[j] + quarters[2].x[j] + quarters[3].x[j];
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int column = c * 8 + 2 * t + j;
        finish(p, 0, above + g, column, sum.x[j], sum.x[j + 2]);
        if (EPILOGUE != kGated) finish(p, 0, above + g + 8, column, sum.x[j + 2], 0.0f);
      }
    }
    // After the last tile nobody waits any more, and other blocks may have ended.
    __syncwarp();
    if (!last && lane < 4) barrier_arrive(address_in_block(empty + split * 8, lane));
    pending = -1;
  };
  const auto send = [&](const float(&sum)[kSums]) {
    if (rounds_sent > 0) barrier_wait(empty + place * 8, (rounds_sent - 1) & 1);
    ++rounds_sent;
    const uint32 to = address_in_block(shared_address(inbox) + split * (kSums * 32 * 4), place), there = address_in_block(full, place);
#pragma unroll
    for (int c = 0; c < kSums / 4; ++c)
      send_four(to + (c * 32 + lane) * 16, sum[c * 4], sum[c * 4 + 1], sum[c * 4 + 2], sum[c * 4 + 3], there);
  };
#endif

  bool z_is_here = TAIL == 0;
  float sum[kSums], quarter[kSums];
  for (int tile = first_tile; tile < wide_tiles; tile += stride) {
    float scale_upper, scale_lower;
    stream.scales_of(tile * 4 + place, scale_upper, scale_lower);
    Bytes16 a, b;
    FourFloats factors;
#pragma unroll 1
    for (int i = 0; i < SLICES; ++i) {
      const int from = first_step(slice + i) - stream.begin, to = first_step(slice + i + 1) - stream.begin;
#pragma unroll
      for (int j = 0; j < kSums; ++j) sum[j] = 0;
#if BITS == 4
      float partial[kSums];
#pragma unroll
      for (int j = 0; j < kSums; ++j) partial[j] = 0;
#pragma unroll 1
      for (int step = from; step < to; ++step) {
        stream.take(a, b, factors);
#pragma unroll
        for (int block_of_64 = 0; block_of_64 < kScalesOfStep; ++block_of_64) {
          Bytes16 u[2], l[2];
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            u[h] = widen(a, 2 * block_of_64 + h, table);
            l[h] = widen(b, 2 * block_of_64 + h, table);
          }
          wgmma_fence();
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const uint32 at = xs_address + (step * (kStepK / 8) + (2 * block_of_64 + h) * 4) * kPieceBytes;
            wgmma(partial, u[h].word[0], l[h].word[0], u[h].word[1], l[h].word[1], at, h);
            wgmma(partial, u[h].word[2], l[h].word[2], u[h].word[3], l[h].word[3], at + 2 * kPieceBytes, 1);
          }
          wgmma_commit();
          wgmma_wait(partial);
#pragma unroll
          for (int j = 0; j < kSums; ++j) sum[j] = __fmaf_rn(factors.x[j % 4 / 2 * 2 + block_of_64], partial[j], sum[j]);
        }
        stream.copy_next();
      }
#else
      // The matrix units read a step's weights from registers until they are waited for. Meanwhile the other
      // groups load their weights.
#pragma unroll 1
      for (int step = from; step < to; ++step) {
        stream.take(a, b, factors);
        Bytes16 u[kStepK / 32], l[kStepK / 32];
#pragma unroll
        for (int h = 0; h < kStepK / 32; ++h) {
          u[h] = widen(a, h, table);
          l[h] = widen(b, h, table);
        }
        wgmma_fence();
#pragma unroll
        for (int h = 0; h < kStepK / 32; ++h) {
          const uint32 at = xs_address + (step * (kStepK / 8) + h * 4) * kPieceBytes;
          wgmma(sum, u[h].word[0], l[h].word[0], u[h].word[1], l[h].word[1], at, 1);
          wgmma(sum, u[h].word[2], l[h].word[2], u[h].word[3], l[h].word[3], at + 2 * kPieceBytes, 1);
        }
        wgmma_commit();
        stream.copy_next();
        wgmma_wait(sum);
      }
#endif
      // Each slice's sums are multiplied by the scales of their rows, so that the result doesn't depend on which kernel
      // adds up slices.
      if (BITS == 8) {
#pragma unroll
        for (int j = 0; j < kSums; ++j) sum[j] *= j % 4 < 2 ? scale_upper : scale_lower;
      }
      if (TAIL > 0 && slice + i == kSlices - 1) {
        if (!z_is_here) {
          // Each group of warps copies all of z, so several groups write the same values.
          wait_for_z();
          place_columns(p.z, TAIL, kTailSteps, zs, threadIdx.x % 128, 128);
          asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
          z_is_here = true;
        }
#pragma unroll 1
        for (int step = 0; step < kTailSteps; ++step) {
          stream.take(a, b, factors);
          wgmma_fence();
          const uint32 at = zs_address + step * 4 * kPieceBytes;
          wgmma(sum, a.word[0], b.word[0], a.word[1], b.word[1], at, 1);
          wgmma(sum, a.word[2], b.word[2], a.word[3], b.word[3], at + 2 * kPieceBytes, 1);
          wgmma_commit();
          wgmma_wait(sum);
          stream.copy_next();
        }
      }
#pragma unroll
      for (int j = 0; j < kSums; ++j) quarter[j] = i == 0 ? sum[j] : quarter[j] + sum[j];
#if CLUSTER
      if (i == 0 && pending >= 0) finish_pending(false);
#endif
    }
    if (!z_is_here) {
      wait_for_z();
      z_is_here = true;
    }
#if CLUSTER
    send(quarter);
    pending = tile;
#else
    const int64 above = static_cast<int64>(tile * 4 + place) * kRowsOfWarp;
#pragma unroll
    for (int j = 0; j < kSums; ++j) finish(p, split, above + g + j % 4 / 2 * 8, j / 4 * 8 + 2 * t + j % 2, quarter[j], 0.0f);
#endif
  }
  wait_for_copies<0>();
  if (!z_is_here) wait_for_z();
#if CLUSTER
  if (pending >= 0) finish_pending(true);
  // No block may end while another one still sends to its shared memory.
  cluster_arrive_relaxed();
  cluster_wait();
#endif
#endif
}
