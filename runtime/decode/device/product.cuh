// The parts that the two kernels of y = W x for a few columns x share: product.cu, whose warps work for
// themselves, and wide_product.cu, whose warps multiply four at a time.
//
// Rows of W and columns of x both lie along K. Of each 32 numbers along K, lane t of four takes numbers 8t … 8t + 7.
// In bf16 these are 16 bytes, which are one load. Both sides have the same permutation of K, so the sum is the same.
// Weights of 8 and of 4 bits are stored for the same access (packing.hpp): a lane's 16 bytes are numbers 8t … 8t + 7
// of the first 32 numbers, then of the next 32.
//
// Macros:
//   K          length of a row, a multiple of kStepK
//   BITS       bits of a weight. 16: bf16; 8: a whole number, times its row's scale; 4: a code of NormalFloat4,
//              times the scale of its 64 numbers
//   TAIL       length of a row of the adapter's matrix T, a multiple of 32: y = W x + T z; 0: without an adapter
//   COLUMNS    number of columns in a block, a multiple of 8; blockIdx.y counts such groups of columns
//   SLICES     number of slices of K in a block
//   STAGES     number of stages in a warp's ring
//   SHARED_BYTES  bytes of shared memory, as products.cpp computes them
//   EPILOGUE   what is done with the sums: one of the constants below
//   CLUSTER    1: four blocks, each with a quarter of K, form a cluster and add up their sums (SLICES is 4 then)
//   COPIES     with BITS 4, number of copies of the table of codes: 8, or 32 if there is room for one for each lane
#pragma once
#include "common.cuh"

constexpr int kParts = 0;   // out: f32 [kSlices / SLICES][columns][rows], to be summed by sum_parts
constexpr int kGated = 1;   // out: bf16 [columns][rows], silu(W x) (W2 x)
constexpr int kValues = 2;  // out: f32 [columns][rows]
constexpr int kGelu = 3;    // out: bf16 [columns][rows], gelu(W x + b)
constexpr int kHalves = 4;  // out: bf16 [columns][rows]
static_assert(EPILOGUE == kParts || SLICES == 16 || CLUSTER, "other epilogues need the whole sum");
static_assert(BITS == 16 || BITS == 8 || BITS == 4);

struct Product {
  const uint8* weight;         // [rows, K]
  const uint8* second;         // [rows, K], for kGated alone
  const float* scale;          // [rows] with BITS 8, [rows, K / 64] with BITS 4
  const float* second_scale;   // for kGated alone
  const uint8* tail;           // bf16 [rows, TAIL]
  const uint8* second_tail;    // for kGated alone
  const bf16* bias;            // [rows] or null, for kGelu alone
  const bf16* x;               // [columns, K]
  const bf16* z;               // [columns, TAIL]
  void* out;
  int rows, columns;
};

// A step is 64 bytes of a row.
constexpr int kStepBytes = 64;
constexpr int kStepK = kStepBytes * 8 / BITS;
constexpr int64 kRowOfWeights = static_cast<int64>(K) * BITS / 8;
constexpr int kSteps = K / kStepK;
static_assert(K % kStepK == 0);
__device__ constexpr int first_step(int slice) { return slice * kSteps / kSlices; }
// The steps of the tail follow those of the last slice.
constexpr int kTailSteps = TAIL / 32;
static_assert(TAIL % 32 == 0);
constexpr int kSplits = kSlices / SLICES;
constexpr int kColumnTiles = COLUMNS / 8;
__device__ constexpr int most_steps() {
  int most = 0;
  for (int split = 0; split < kSplits; ++split) {
    const int steps = first_step((split + 1) * SLICES) - first_step(split * SLICES);
    if (steps > most) most = steps;
  }
  return most;
}
// A step's weights of 16 rows, with BITS 4 followed by the scales of two times 64 numbers of each row.
constexpr int kScalesOfStep = kStepK / 64;
constexpr int kStageBytes = 1024 + (BITS == 4 ? 16 * kScalesOfStep * 4 : 0);
constexpr int kTableBytes = BITS == 4 ? 256 * COPIES * 4 : 0;

__device__ __forceinline__ int columns_of_block(const Product& p) {
  return min(p.columns - static_cast<int>(blockIdx.y) * COLUMNS, COLUMNS);
}

__device__ __forceinline__ void finish(const Product& p, int split, int64 row, int column, float value, float second) {
  if (row >= p.rows || column >= columns_of_block(p)) return;
  const int64 place = static_cast<int64>(blockIdx.y * COLUMNS + column) * p.rows + row;
  if (EPILOGUE == kParts) static_cast<float*>(p.out)[static_cast<int64>(split) * p.columns * p.rows + place] = value;
  if (EPILOGUE == kValues) static_cast<float*>(p.out)[place] = value;
  if (EPILOGUE == kGated) static_cast<bf16*>(p.out)[place] = to_bf16(silu(value) * second);
  if (EPILOGUE == kGelu) static_cast<bf16*>(p.out)[place] = to_bf16(gelu_tanh(value + (p.bias ? to_float(p.bias[row]) : 0.0f)));
  if (EPILOGUE == kHalves) static_cast<bf16*>(p.out)[place] = to_bf16(value);
}

// Without a tail, x comes from the previous kernel. With a tail, the previous kernel is the adapter's, from
// which z comes. The adapter's kernel lets this one start only when the kernel before it, from which x comes,
// is complete. So only z is waited for, and only when it is needed, at the end of the first tile.
__device__ __forceinline__ void wait_for_x() {
  if (TAIL > 0) return;
  wait_for_previous();
  let_next_start();
}
__device__ __forceinline__ void wait_for_z() {
  wait_for_previous();
  let_next_start();
}

/// A warp's stream of weights through a ring in shared memory: for each tile of 16 rows, its steps from
/// `begin` on. Each lane reads back what it copied itself, so nothing has to synchronise. Lane (g, t) has
/// rows g and g + 8 of a tile; in gated tiles, row g of W and row g of W2.
struct Stream {
  static constexpr int kRowsInTile = EPILOGUE == kGated ? 8 : 16;

  const Product& p;
  uint8* ring;   // of the warp: [STAGES][kStageBytes]
  int tile;      // the next to copy
  int stride;    // to the one after it
  int tiles;     // in all
  int begin;     // the first step
  int steps;     // of W
  int all;       // with the steps of the tail
  int next_step = 0, next_stage = 0, stage = 0;
  const uint8 *upper = nullptr, *lower = nullptr, *tail_upper = nullptr, *tail_lower = nullptr;
  const float* scales = nullptr;

  __device__ __forceinline__ Stream(const Product& product, uint8* ring, int first_tile, int stride, int slice, int slices)
      : p(product),
        ring(ring),
        tile(first_tile),
        stride(stride),
        tiles((product.rows + kRowsInTile - 1) / kRowsInTile),
        begin(first_step(slice)),
        steps(first_step(slice + slices) - begin),
        all(steps + (slice + slices == kSlices ? kTailSteps : 0)) {}

  /// Rows past the end are replaced by the last row. Their sums are not written.
  __device__ __forceinline__ int64 row_of(int tile, int row) const {
    const int64 at = static_cast<int64>(tile) * kRowsInTile + row;
    return at < p.rows ? at : p.rows - 1;
  }

  __device__ __forceinline__ void copy_next() {
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    if (tile < tiles && all > 0) {
      if (next_step == 0) {
        const int64 first = row_of(tile, g), second = EPILOGUE == kGated ? first : row_of(tile, g + 8);
        const int64 offset = static_cast<int64>(begin) * kStepBytes + t * 16;
        upper = p.weight + first * kRowOfWeights + offset;
        lower = (EPILOGUE == kGated ? p.second : p.weight) + second * kRowOfWeights + offset;
        if (kTailSteps > 0) {
          tail_upper = p.tail + first * (TAIL * 2) + t * 16;
          tail_lower = (EPILOGUE == kGated ? p.second_tail : p.tail) + second * (TAIL * 2) + t * 16;
        }
        if (BITS == 4) scales = (t == 0 ? p.scale : EPILOGUE == kGated ? p.second_scale : p.scale) + (t == 0 ? first : second) * (K / 64) + begin * kScalesOfStep;
      }
      uint8* const to = ring + next_stage * kStageBytes;
      if (kTailSteps == 0 || next_step < steps) {
        copy_async(shared_address(to + lane * 16), upper + next_step * kStepBytes);
        copy_async(shared_address(to + 512 + lane * 16), lower + next_step * kStepBytes);
        if (BITS == 4 && t < 2) copy_async_8(shared_address(to + 1024 + (t * 8 + g) * 8), scales + next_step * kScalesOfStep);
      } else {
        copy_async(shared_address(to + lane * 16), tail_upper + (next_step - steps) * kStepBytes);
        copy_async(shared_address(to + 512 + lane * 16), tail_lower + (next_step - steps) * kStepBytes);
      }
      if (++next_step == all) {
        next_step = 0;
        tile += stride;
      }
    }
    commit_copies();
    next_stage = next_stage + 1 == STAGES ? 0 : next_stage + 1;
  }

  __device__ __forceinline__ void fill() {
#pragma unroll
    for (int i = 0; i < STAGES - 1; ++i) copy_next();
  }

  /// Waits for the oldest step that hasn't been taken yet, and reads it into `a`, `b` and `factors`.
  __device__ __forceinline__ void take(Bytes16& a, Bytes16& b, FourFloats& factors) {
    wait_for_copies<STAGES - 2>();
    const uint8* const from = ring + stage * kStageBytes;
    a = *reinterpret_cast<const Bytes16*>(from + threadIdx.x % 32 * 16);
    b = *reinterpret_cast<const Bytes16*>(from + 512 + threadIdx.x % 32 * 16);
    if (BITS == 4) {
      // Scales were copied by other lanes.
      __syncwarp();
      const auto* const of_rows = reinterpret_cast<const float*>(from + 1024) + threadIdx.x % 32 / 4 * 2;
      factors = {of_rows[0], of_rows[1], of_rows[16], of_rows[17]};  // row g: of the first and second 64; row g + 8
      __syncwarp();
    }
    stage = stage + 1 == STAGES ? 0 : stage + 1;
  }

  /// With BITS 8: the scales of rows g and g + 8 of a tile.
  __device__ __forceinline__ void scales_of(int tile, float& first, float& second) const {
    const int g = threadIdx.x % 32 / 4;
    first = second = 1;
    if (BITS != 8) return;
    first = p.scale[row_of(tile, g)];
    second = EPILOGUE == kGated ? p.second_scale[row_of(tile, g)] : p.scale[row_of(tile, g + 8)];
  }
};

#if BITS == 8
// Converts four whole numbers from -128 to 127, stored with 128 added, to bf16, which represents them
// exactly. 8,388,608 + n is the f32 number whose lowest bits are n. (Sums of bf16 pairs take fewer
// instructions, but were a tenth slower on an H200.)
__device__ __forceinline__ void widen_four(uint32 bytes, uint32& low, uint32& high) {
  float x[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) x[i] = __uint_as_float(__byte_perm(bytes, 0x4B000000u, 0x7650 + i)) - 8388736.0f;
  low = pack(x[0], x[1]);
  high = pack(x[2], x[3]);
}
#endif

#if BITS == 4
// The values of NormalFloat4 (Dettmers et al. 2023, "QLoRA", appendix E), rounded to bf16.
__device__ constexpr uint16 kNormalFloats[16] = {0xBF80, 0xBF32, 0xBF06, 0xBECA, 0xBE92, 0xBE3D, 0xBDBA, 0x0000,
                                                 0x3DA3, 0x3E25, 0x3E7C, 0x3EAD, 0x3EE2, 0x3F10, 0x3F39, 0x3F80};

/// Fills the table [256][COPIES] with both values of each byte; the lower half of an entry is the value of
/// the lower four bits.
__device__ __forceinline__ void fill_table(uint32* table) {
  for (int i = threadIdx.x; i < 256 * COPIES; i += blockDim.x) {
    const int byte = i / COPIES;
    table[i] = kNormalFloats[byte % 16] | static_cast<uint32>(kNormalFloats[byte / 16]) << 16;
  }
}
#endif

/// Returns the numbers of a step's block `h` of 32 numbers as bf16. `table` is the table of codes.
__device__ __forceinline__ Bytes16 widen(const Bytes16& stored, int h, const uint32* table) {
#if BITS == 8
  Bytes16 out;
  widen_four(stored.word[2 * h], out.word[0], out.word[1]);
  widen_four(stored.word[2 * h + 1], out.word[2], out.word[3]);
  return out;
#elif BITS == 4
  Bytes16 out;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint32 byte = __byte_perm(stored.word[h], 0, 0x4440 + i);
    out.word[i] = table[byte * COPIES + threadIdx.x % COPIES];
  }
  return out;
#else
  return stored;
#endif
}
