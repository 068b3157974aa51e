// Draws a token for each column from its logits, and advances the column by one position.
//
// Macros: CHOICES (tokens 0 … CHOICES - 1 may be drawn), VOCABULARY (the number of a column's logits), RING
// (the number of tokens that a column's list holds).
#include "common.cuh"

constexpr int kThreads = 256;
constexpr int kPieces = 32;  // of a column's logits
constexpr int kPiece = (CHOICES + kPieces - 1) / kPieces;
constexpr int kMostEnds = 8;
extern "C" __device__ const int threads = kThreads;
extern "C" __device__ const int pieces = kPieces;

struct Draw {
  const float* logits;  // [columns][VOCABULARY]
  uint32* threshold;    // [columns]: only logits whose `order` is this or more may be drawn
  float* summary;       // [columns][kPieces][4]: maximum, its index, Σ exp((x - maximum) / temperature), Σ exp(x - maximum)
  int* tokens;          // [columns]: the token at the new position; afterwards the token that was drawn
  int* positions;       // [columns]: the new position; negative if the column is idle
  int* made;            // [columns]: tokens drawn so far
  const int* limits;    // [columns]: a column that has made so many becomes idle
  const uint64* keys;   // [columns]: random streams
  int* drawn;           // [columns][RING]: the i-th drawn token at i mod RING
  float* scores;        // [columns][RING]: its log-probability at temperature 1
  float temperature;    // 0: the largest logit is taken
  int top_k;            // 0: no limit
  float top_p;          // 1: no limit
  int end_count;
  int ends[kMostEnds];
};

// Maps a float to an integer. These integers have the same order as the floats.
__device__ __forceinline__ uint32 order(float x) {
  const uint32 bits = __float_as_uint(x);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ float weight_of(float x, float maximum, float temperature) {
  return expf((x - maximum) / temperature);
}

// Returns the largest logit of a column. All threads of a block take part.
template <int THREADS>
__device__ float largest(const float* logits, float* scratch) {
  float most = -3.4e38f;
  for (int i = threadIdx.x; i < CHOICES; i += THREADS) most = fmaxf(most, logits[i]);
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = most;
  __syncthreads();
  most = scratch[0];
  for (int i = 1; i < THREADS / 32; ++i) most = fmaxf(most, scratch[i]);
  __syncthreads();
  return most;
}

constexpr int kBits = 11;
constexpr int kBins = 1 << kBits;
constexpr int kRestrictThreads = 1024;

// Searches from the upper bits of `order` to the lower ones. In each pass, the numbers that agree with the
// bits found so far are counted (or weighed) by their next bits. Weights are whole numbers, so their sums
// don't depend on the order.
__device__ uint32 find_threshold(const float* logits, uint32 at_least, bool by_weight, double share, uint64 count,
                                 float maximum, float temperature, uint64* bins, uint64* found) {
  uint32 prefix = 0, mask = 0;
  uint64 target = count;
  for (int pass = 0; pass < 3; ++pass) {
    const int shift = pass == 0 ? 32 - kBits : pass == 1 ? 32 - 2 * kBits : 0;
    const int bits = pass == 2 ? 32 - 2 * kBits : kBits;
    for (int i = threadIdx.x; i < kBins; i += kRestrictThreads) bins[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < CHOICES; i += kRestrictThreads) {
      const float x = logits[i];
      const uint32 key = order(x);
      if (key < at_least || (key & mask) != prefix) continue;
      const uint64 amount =
          by_weight ? static_cast<uint64>(weight_of(x, maximum, temperature) * 1099511627776.0f) : 1;
      atomicAdd(bins + (key >> shift & ((1u << bits) - 1)), amount);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      if (pass == 0 && by_weight) {
        uint64 all = 0;
        for (int i = 0; i < kBins; ++i) all += bins[i];
        target = static_cast<uint64>(share * static_cast<double>(all));
        if (target == 0) target = 1;
      }
      int bin = (1 << bits) - 1;
      uint64 above = 0;
      while (bin > 0 && above + bins[bin] < target) above += bins[bin--];
      found[0] = static_cast<uint64>(bin);
      found[1] = target - above;
    }
    __syncthreads();
    prefix |= static_cast<uint32>(found[0]) << shift;
    mask |= ((1u << bits) - 1) << shift;
    target = found[1];
    __syncthreads();
  }
  return prefix;
}

/// Computes, with one block for each column, the threshold that top_k, and then top_p on the tokens that
/// top_k leaves, put on the logits. Logits equal to the last one that counts are included.
extern "C" __global__ __launch_bounds__(kRestrictThreads) void restrict_choices(const Draw p) {
  __shared__ uint64 bins[kBins];
  __shared__ uint64 found[2];
  __shared__ float scratch[kRestrictThreads / 32];
  wait_for_previous();
  let_next_start();
  const int column = blockIdx.x;
  if (p.positions[column] < 0) return;
  const float* const logits = p.logits + static_cast<int64>(column) * VOCABULARY;
  uint32 threshold = 0;
  if (p.top_k > 0 && p.top_k < CHOICES)
    threshold = find_threshold(logits, 0, false, 0, static_cast<uint64>(p.top_k), 0, 1, bins, found);
  if (p.top_p < 1.0f) {
    const float maximum = largest<kRestrictThreads>(logits, scratch);
    const uint32 other = find_threshold(logits, threshold, true, p.top_p, 0, maximum, p.temperature, bins, found);
    threshold = other > threshold ? other : threshold;
  }
  if (threadIdx.x == 0) p.threshold[column] = threshold;
}

/// Runs one block for each piece of each column.
extern "C" __global__ __launch_bounds__(kThreads) void summarise(const Draw p) {
  __shared__ float maxima[kThreads / 32];
  __shared__ int indices[kThreads / 32];
  __shared__ float scratch[2][kThreads / 32];
  wait_for_previous();
  let_next_start();
  const int piece = blockIdx.x, column = blockIdx.y;
  if (p.positions[column] < 0) return;
  const float* const logits = p.logits + static_cast<int64>(column) * VOCABULARY;
  const int begin = piece * kPiece, end = min(begin + kPiece, static_cast<int>(CHOICES));
  float most = -3.4e38f;
  int index = CHOICES;
  for (int i = begin + threadIdx.x; i < end; i += kThreads) {
    if (logits[i] > most) {
      most = logits[i];
      index = i;
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, most, offset);
    const int its = __shfl_xor_sync(0xffffffffu, index, offset);
    if (other > most || (other == most && its < index)) {
      most = other;
      index = its;
    }
  }
  if (threadIdx.x % 32 == 0) {
    maxima[threadIdx.x / 32] = most;
    indices[threadIdx.x / 32] = index;
  }
  __syncthreads();
  most = maxima[0];
  index = indices[0];
  for (int w = 1; w < kThreads / 32; ++w) {
    if (maxima[w] > most) {
      most = maxima[w];
      index = indices[w];
    }
  }
  const uint32 threshold = p.threshold[column];
  float weights = 0, plain = 0;
  for (int i = begin + threadIdx.x; i < end; i += kThreads) {
    const float x = logits[i];
    plain += expf(x - most);
    if (p.temperature > 0 && order(x) >= threshold) weights += weight_of(x, most, p.temperature);
  }
  weights = block_sum<kThreads>(weights, scratch[0]);
  plain = block_sum<kThreads>(plain, scratch[1]);
  if (threadIdx.x == 0) {
    float* const out = p.summary + (static_cast<int64>(column) * kPieces + piece) * 4;
    out[0] = most;
    out[1] = __int_as_float(index);
    out[2] = weights;
    out[3] = plain;
  }
}

/// A block for each column.
extern "C" __global__ __launch_bounds__(kThreads) void choose(const Draw p) {
  __shared__ double totals[kThreads];
  __shared__ int chosen, piece_chosen, holder;
  __shared__ double target_chosen, before_holder;
  wait_for_previous();
  let_next_start();
  const int column = blockIdx.x;
  const int position = p.positions[column];
  if (position < 0) return;
  const float* const logits = p.logits + static_cast<int64>(column) * VOCABULARY;
  const float* const summary = p.summary + static_cast<int64>(column) * kPieces * 4;
  const int made = p.made[column];
  // Each lane of a warp has the summary of one piece. Weights are relative to the largest logit of all
  // pieces.
  static_assert(kPieces == 32);
  const int lane = threadIdx.x % 32;
  const float own_most = summary[lane * 4], own_weights = summary[lane * 4 + 2];
  float most = own_most;
  int index = __float_as_int(summary[lane * 4 + 1]);
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, most, offset);
    const int its = __shfl_xor_sync(0xffffffffu, index, offset);
    if (other > most || (other == most && its < index)) {
      most = other;
      index = its;
    }
  }
  double plain = summary[lane * 4 + 3] * exp(static_cast<double>(own_most) - most);
  for (int offset = 16; offset > 0; offset /= 2) plain += __shfl_xor_sync(0xffffffffu, plain, offset);
  // If a logit is NaN or plus infinity, or all are minus infinity, the sum isn't a positive finite number. Then there
  // is no token to draw, and -1 tells the host so.
  if (!(plain > 0 && plain < 1e300)) {
    if (threadIdx.x != 0) return;
    p.drawn[column * RING + made % RING] = -1;
    p.scores[column * RING + made % RING] = 0;
    p.made[column] = made + 1;
    p.positions[column] = -1;
    return;
  }
  if (p.temperature <= 0) {
    if (threadIdx.x == 0) chosen = index;
  } else {
    // Within a piece, weights are relative to the piece's own maximum, as `summarise` added them.
    const double factor = exp((static_cast<double>(own_most) - most) / p.temperature);
    const double weight = own_weights > 0 ? own_weights * factor : 0.0;
    double up_to = weight;  // the weight of this piece and the pieces before it
    for (int offset = 1; offset < 32; offset *= 2) {
      const double before = __shfl_up_sync(0xffffffffu, up_to, offset);
      if (lane >= offset) up_to += before;
    }
    const double all = __shfl_sync(0xffffffffu, up_to, 31);
    uint32 random[4];
    philox(p.keys[column], static_cast<uint32>(made), random);
    const double target = (random[0] >> 8) / 16777216.0 * all;
    const uint32 beyond = __ballot_sync(0xffffffffu, weight > 0 && up_to > target);
    const uint32 positive = __ballot_sync(0xffffffffu, weight > 0);
    const int piece = beyond ? __ffs(beyond) - 1 : 31 - __clz(positive);
    if (static_cast<int>(threadIdx.x) == piece) {
      piece_chosen = piece;
      target_chosen = (target - (up_to - weight)) / factor;
    }
    __syncthreads();
    const int begin = piece_chosen * kPiece, end = min(begin + kPiece, static_cast<int>(CHOICES));
    const float own = summary[piece_chosen * 4];
    const uint32 threshold = p.threshold[column];
    const int share = (kPiece + kThreads - 1) / kThreads;
    const int from = min(begin + static_cast<int>(threadIdx.x) * share, end), to = min(from + share, end);
    double sum = 0;
    for (int i = from; i < to; ++i)
      if (order(logits[i]) >= threshold) sum += weight_of(logits[i], own, p.temperature);
    totals[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
      constexpr int kShare = kThreads / 32;
      double here = 0;
      for (int i = 0; i < kShare; ++i) here += totals[lane * kShare + i];
      double up_to_here = here;
      for (int offset = 1; offset < 32; offset *= 2) {
        const double before = __shfl_up_sync(0xffffffffu, up_to_here, offset);
        if (lane >= offset) up_to_here += before;
      }
      const uint32 reached = __ballot_sync(0xffffffffu, here > 0 && up_to_here > target_chosen);
      const uint32 some = __ballot_sync(0xffffffffu, here > 0);
      const int first = reached ? __ffs(reached) - 1 : 31 - __clz(some);
      if (lane == first) {
        double before = up_to_here - here;
        int last = lane * kShare;
        double before_last = before;
        for (int i = lane * kShare; i < (lane + 1) * kShare; ++i) {
          if (totals[i] <= 0) continue;
          last = i;
          before_last = before;
          before += totals[i];
          if (before > target_chosen) break;
        }
        holder = last;
        before_holder = before_last;
      }
    }
    __syncthreads();
    if (static_cast<int>(threadIdx.x) == holder) {
      double before = before_holder;
      int token = from;
      for (int i = from; i < to; ++i) {
        if (order(logits[i]) < threshold) continue;
        const double w = weight_of(logits[i], own, p.temperature);
        if (w <= 0) continue;
        token = i;
        before += w;
        if (before > target_chosen) break;
      }
      chosen = token;
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int token = chosen;
  p.drawn[column * RING + made % RING] = token;
  p.scores[column * RING + made % RING] = static_cast<float>(static_cast<double>(logits[token]) - most - log(plain));
  bool ended = made + 1 >= p.limits[column];
  for (int i = 0; i < p.end_count; ++i) ended = ended || token == p.ends[i];
  p.tokens[column] = token;
  p.made[column] = made + 1;
  p.positions[column] = ended ? -1 : position + 1;
}
