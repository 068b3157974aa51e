// Attention of one new position in each column, over keys and values in pages.
//
// A cluster of BLOCKS blocks computes one column and one key head, with the query heads that share it. The blocks
// of the cluster take pages in turns. Each block adds up q, k and v from the partial sums that the product left,
// and rotates them. The block with the last page also stores the new key and value in it. At the end the blocks
// join their sums. So a column's result depends on no other column.
//
// A page holds kPage positions of every layer: pool [page][layer][2][KV_HEADS][kPage][HEAD], keys first.
//
// Macros: HEADS, KV_HEADS (each is shared by at most 16 query heads), HEAD (size of a head, a multiple of 32, at
// most 128), PARTS (the number of partial sums of q, k and v), LAYERS, BLOCKS (1, 2, 4 or 8), QK_NORM (1: RMSNorm
// of each head of q and k before rotation, as in Qwen3), EPSILON (of that norm).
#include "common.cuh"

constexpr int kPage = 128;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kGroup = HEADS / KV_HEADS;
constexpr int kWidth = (HEADS + 2 * KV_HEADS) * HEAD;
constexpr int kRow = HEAD * 2;            // bytes
constexpr int kChunks = HEAD / 8;         // pieces of 16 bytes in a row
constexpr int kKeysOfWarp = kPage / kWarps;
static_assert(kKeysOfWarp == 16);
static_assert(kGroup <= 16 && HEAD % 32 == 0 && HEAD <= 128);
constexpr int64 kHeadOfPage = static_cast<int64>(kPage) * HEAD;
constexpr int64 kPageOfPool = static_cast<int64>(LAYERS) * 2 * KV_HEADS * kHeadOfPage;
extern "C" __device__ const int threads = kThreads;
extern "C" __device__ const int page = kPage;
// In a tile of a matrix product, columns stand for query heads, and rows for keys or for the numbers of a
// value.
constexpr int kHeadTiles = (kGroup + 7) / 8;
// First the keys and values of a page, the queries, and the new key and value; later the warps' sums.
constexpr int kPageBytes = 2 * kPage * kRow;
constexpr int kSumBytes = kWarps * kGroup * HEAD * 4;
extern "C" __device__ const int shared_bytes = (kPageBytes > kSumBytes ? kPageBytes : kSumBytes) + (kHeadTiles * 8 + 2) * kRow;

struct Attention {
  const float* qkv;      // [PARTS][columns][kWidth]: q, k, v
  const bf16* bias;      // [kWidth] or null
  const bf16* q_norm;    // [HEAD], with QK_NORM
  const bf16* k_norm;    // [HEAD]
  const float* cosine;   // [context][HEAD / 2]
  const float* sine;     // [context][HEAD / 2]
  bf16* pool;
  const int* pages;      // [columns][most pages]
  const int* positions;  // [columns]: the new position; negative if a column is idle
  bf16* out;             // [columns][HEADS * HEAD]
  int columns, layer, most_pages;
};

// Lanes read keys from two rows, four pieces at a time, and values from eight rows, one piece at a time. So
// keys and values have different permutations of the pieces within a row, without which several lanes would
// read the same bank.
__device__ __forceinline__ int key_piece(int row, int piece) {
  return row * kChunks + (kChunks % 8 == 0 ? piece ^ (row & 1) * 4 : piece);
}
__device__ __forceinline__ int value_piece(int row, int piece) {
  return row * kChunks + (kChunks % 8 == 0 ? piece ^ (row & 7) : piece ^ (row / 2 & 3));
}

// Loads four tiles of 8 × 8 transposed, of keys 0 … 7 and 8 … 15. The lanes' addresses are the rows of the
// tiles one after another.
__device__ __forceinline__ void load_transposed(uint32 address, uint32 (&tiles)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

// Transposes a tile of 8 × 8 of which each lane holds two numbers of a row.
__device__ __forceinline__ uint32 transpose(uint32 pair) {
  uint32 out;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out) : "r"(pair));
  return out;
}

// One head of q or k. A warp's lanes hold its pairs (i, i + HEAD / 2) for i = lane and lane + 32. `weight` is
// null or the weight of the head's norm.
struct HeadValues {
  float low[2], high[2];
};
constexpr int kHalf = HEAD / 2;
constexpr int kPairs = (kHalf + 31) / 32;

__device__ __forceinline__ HeadValues load_head(const Attention& p, int column, int offset, const bf16* weight,
                                                const float* cosine, const float* sine) {
  const int lane = threadIdx.x % 32;
  HeadValues v = {};
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    const int at = lane + 32 * i;
    if (at >= kHalf) continue;
    const float* from = p.qkv + static_cast<int64>(column) * kWidth + offset + at;
    const int64 stride = static_cast<int64>(p.columns) * kWidth;
    v.low[i] = sum_parts<PARTS>(from, stride);
    v.high[i] = sum_parts<PARTS>(from + kHalf, stride);
    if (p.bias) {
      v.low[i] += to_float(p.bias[offset + at]);
      v.high[i] += to_float(p.bias[offset + at + kHalf]);
    }
    // Rounds the product to its type, as prefilling and training do.
    v.low[i] = to_float(to_bf16(v.low[i]));
    v.high[i] = to_float(to_bf16(v.high[i]));
    squares += v.low[i] * v.low[i] + v.high[i] * v.high[i];
  }
  if (weight) {
    for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, step);
    const float scale = rsqrtf(squares / HEAD + static_cast<float>(EPSILON));
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      const int at = lane + 32 * i;
      if (at >= kHalf) continue;
      v.low[i] *= scale * to_float(weight[at]);
      v.high[i] *= scale * to_float(weight[at + kHalf]);
    }
  }
  if (cosine) {
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      const int at = lane + 32 * i;
      if (at >= kHalf) continue;
      const float low = v.low[i], high = v.high[i];
      v.low[i] = low * cosine[at] - high * sine[at];
      v.high[i] = high * cosine[at] + low * sine[at];
    }
  }
  return v;
}

extern "C" __global__ __launch_bounds__(kThreads) void attention(const Attention p) {
  extern __shared__ __align__(128) uint8 memory[];
  Bytes16* const keys = reinterpret_cast<Bytes16*>(memory);  // [kPage][kChunks], by key_piece
  Bytes16* const values = keys + kPage * kChunks;            // [kPage][kChunks], by value_piece
  bf16* const queries = reinterpret_cast<bf16*>(memory + shared_bytes - (kHeadTiles * 8 + 2) * kRow);  // [kHeadTiles * 8][HEAD]
  bf16* const new_rows = queries + kHeadTiles * 8 * HEAD;  // [2][HEAD]: key, value
  __shared__ float maxima[kWarps][kHeadTiles * 8], normalisers[kWarps][kHeadTiles * 8];
  __shared__ float result[kGroup][HEAD], result_maximum[kGroup], result_normaliser[kGroup];

  const int rank = blockIdx.x, kv_head = blockIdx.y, column = blockIdx.z;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
  // Reads values written at the end of the previous step or earlier, by kernels that are complete by now.
  const int position = p.positions[column];
  if (position < 0) {
    wait_for_previous();
    let_next_start();
    return;
  }
  const int pages = position / kPage + 1;
  const auto head_of_page = [&](int page) {
    return p.pool + p.pages[column * p.most_pages + page] * kPageOfPool +
           (static_cast<int64>(p.layer) * 2 * KV_HEADS + kv_head) * kHeadOfPage;
  };
  // Copies the positions before the new one. The rows behind it become zeros: their weight is 0, but 0 times
  // whatever lay there might be NaN.
  const auto load_page = [&](int page) {
    const int stored = min(position - page * kPage, kPage);
    const bf16* const from = head_of_page(page);
    for (int i = threadIdx.x; i < stored * kChunks; i += kThreads) {
      const int row = i / kChunks, piece = i % kChunks;
      copy_async(shared_address(keys + key_piece(row, piece)), from + i * 8);
      copy_async(shared_address(values + value_piece(row, piece)), from + KV_HEADS * kHeadOfPage + i * 8);
    }
    commit_copies();
    for (int i = threadIdx.x + stored * kChunks; i < kPage * kChunks; i += kThreads) {
      const int row = i / kChunks, piece = i % kChunks;
      keys[key_piece(row, piece)] = Bytes16{};
      values[value_piece(row, piece)] = Bytes16{};
    }
  };
  if (rank < pages) load_page(rank);
  for (int i = threadIdx.x; i < kHeadTiles * 8 * HEAD / 2; i += kThreads) reinterpret_cast<uint32*>(queries)[i] = 0;
  __syncthreads();

  wait_for_previous();
  let_next_start();
  const float* const cosine = p.cosine + static_cast<int64>(position) * kHalf;
  const float* const sine = p.sine + static_cast<int64>(position) * kHalf;
  const int own_page = pages - 1, own_row = position % kPage;
  const bool stores = own_page % BLOCKS == rank;
  for (int head = warp; rank < pages && head < kGroup + (stores ? 2 : 0); head += kWarps) {
    const bool is_query = head < kGroup, is_key = head == kGroup;
    const int offset =
        is_query ? (kv_head * kGroup + head) * HEAD : (HEADS + (is_key ? 0 : KV_HEADS) + kv_head) * HEAD;
    const bf16* const weight = !QK_NORM ? nullptr : is_query ? p.q_norm : is_key ? p.k_norm : nullptr;
    const auto v = load_head(p, column, offset, weight, is_query || is_key ? cosine : nullptr, sine);
    bf16* const to = is_query ? queries + head * HEAD : new_rows + (is_key ? 0 : HEAD);
    bf16* const stored = head_of_page(own_page) + (is_key ? 0 : KV_HEADS * kHeadOfPage) + own_row * HEAD;
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      const int at = lane + 32 * i;
      if (at >= kHalf) continue;
      const bf16 low = to_bf16(v.low[i]), high = to_bf16(v.high[i]);
      to[at] = low;
      to[at + kHalf] = high;
      if (!is_query) {
        stored[at] = low;
        stored[at + kHalf] = high;
      }
    }
  }

  // Scores are exponents of 2. Lane (g, t) has keys g and g + 8 of its warp's sixteen, and heads 2t and 2t + 1 of each tile.
  const float scale = rsqrtf(static_cast<float>(HEAD)) * 1.4426950408889634f;
  float most[kHeadTiles][2], normaliser[kHeadTiles][2] = {};
  float mixed[HEAD / 16][kHeadTiles][4] = {};  // each row is a number of the output; a tile has 16 rows
#pragma unroll
  for (int h = 0; h < kHeadTiles; ++h) most[h][0] = most[h][1] = -1e30f;
  for (int page = rank; page < pages; page += BLOCKS) {
    wait_for_copies<0>();
    __syncthreads();
    if (page == own_page) {
      if (static_cast<int>(threadIdx.x) < 2 * kChunks) {
        const int piece = threadIdx.x % kChunks;
        const auto row = reinterpret_cast<const Bytes16*>(new_rows)[threadIdx.x];
        if (static_cast<int>(threadIdx.x) < kChunks) {
          keys[key_piece(own_row, piece)] = row;
        } else {
          values[value_piece(own_row, piece)] = row;
        }
      }
      __syncthreads();
    }
    const int length = min(position + 1 - page * kPage, kPage);
    // S = K Qᵀ for this warp's keys. Lanes take 8 consecutive numbers of each 32, as in products.
    float scores[kHeadTiles][4] = {};
#pragma unroll
    for (int block = 0; block < HEAD / 32; ++block) {
      const Bytes16 upper = keys[key_piece(warp * 16 + g, block * 4 + t)];
      const Bytes16 lower = keys[key_piece(warp * 16 + 8 + g, block * 4 + t)];
#pragma unroll
      for (int h = 0; h < kHeadTiles; ++h) {
        const auto q = *reinterpret_cast<const Bytes16*>(queries + (h * 8 + g) * HEAD + block * 32 + t * 8);
        multiply(scores[h], upper.word[0], lower.word[0], upper.word[1], lower.word[1], q.word[0], q.word[1]);
        multiply(scores[h], upper.word[2], lower.word[2], upper.word[3], lower.word[3], q.word[2], q.word[3]);
      }
    }
    const bool valid[2] = {warp * 16 + g < length, warp * 16 + 8 + g < length};
    uint32 weights[kHeadTiles][2];
    float shrink[kHeadTiles][2];
#pragma unroll
    for (int h = 0; h < kHeadTiles; ++h) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float& upper = scores[h][i];
        float& lower = scores[h][i + 2];
        upper = valid[0] ? upper * scale : -1e30f;
        lower = valid[1] ? lower * scale : -1e30f;
        float higher = fmaxf(most[h][i], fmaxf(upper, lower));
        higher = fmaxf(higher, __shfl_xor_sync(0xffffffffu, higher, 4));
        higher = fmaxf(higher, __shfl_xor_sync(0xffffffffu, higher, 8));
        higher = fmaxf(higher, __shfl_xor_sync(0xffffffffu, higher, 16));
        shrink[h][i] = exp2f(most[h][i] - higher);
        most[h][i] = higher;
        upper = valid[0] ? exp2f(upper - higher) : 0.0f;
        lower = valid[1] ? exp2f(lower - higher) : 0.0f;
        normaliser[h][i] = normaliser[h][i] * shrink[h][i] + (upper + lower);
      }
      weights[h][0] = transpose(pack(scores[h][0], scores[h][1]));
      weights[h][1] = transpose(pack(scores[h][2], scores[h][3]));
    }
    // O = O shrink + Vᵀ Pᵀ, for sixteen numbers of the values at a time.
#pragma unroll
    for (int d = 0; d < HEAD / 16; ++d) {
      uint32 v[4];
      load_transposed(shared_address(values + value_piece(warp * 16 + lane % 8 + lane / 16 * 8, 2 * d + lane / 8 % 2)), v);
#pragma unroll
      for (int h = 0; h < kHeadTiles; ++h) {
#pragma unroll
        for (int i = 0; i < 4; ++i) mixed[d][h][i] *= shrink[h][i % 2];
        multiply(mixed[d][h], v[0], v[1], v[2], v[3], weights[h][0], weights[h][1]);
      }
    }
    __syncthreads();
    if (page + BLOCKS < pages) load_page(page + BLOCKS);
  }
  float* const sums = reinterpret_cast<float*>(memory);  // [warps][kGroup][HEAD], in the memory of the keys and values
#pragma unroll
  for (int h = 0; h < kHeadTiles; ++h) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float weight = normaliser[h][i];
      for (int step = 4; step < 32; step *= 2) weight += __shfl_xor_sync(0xffffffffu, weight, step);
      if (g == 0) {
        maxima[warp][h * 8 + 2 * t + i] = most[h][i];
        normalisers[warp][h * 8 + 2 * t + i] = weight;
      }
    }
#pragma unroll
    for (int d = 0; d < HEAD / 16; ++d) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int head = h * 8 + 2 * t + i % 2;
        if (head < kGroup) sums[(warp * kGroup + head) * HEAD + d * 16 + g + i / 2 * 8] = mixed[d][h][i];
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kGroup * HEAD; i += kThreads) {
    const int head = i / HEAD, at = i % HEAD;
    float top = maxima[0][head];
#pragma unroll
    for (int w = 1; w < kWarps; ++w) top = fmaxf(top, maxima[w][head]);
    float total = 0, weight = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const float factor = exp2f(maxima[w][head] - top);
      total += factor * sums[(w * kGroup + head) * HEAD + at];
      weight += factor * normalisers[w][head];
    }
    result[head][at] = total;
    if (at == 0) {
      result_maximum[head] = top;
      result_normaliser[head] = weight;
    }
  }
  bf16* const out = p.out + static_cast<int64>(column) * HEADS * HEAD + kv_head * kGroup * HEAD;
#if BLOCKS > 1
  cluster_arrive();
  cluster_wait();
  for (int i = threadIdx.x + rank * kThreads; i < kGroup * HEAD; i += kThreads * BLOCKS) {
    const int head = i / HEAD, at = i % HEAD;
    float maximum[BLOCKS], weights[BLOCKS], sum[BLOCKS], top = -1e30f;
#pragma unroll
    for (int b = 0; b < BLOCKS; ++b) {
      maximum[b] = load_of_block(&result_maximum[head], b);
      weights[b] = load_of_block(&result_normaliser[head], b);
      sum[b] = load_of_block(&result[head][at], b);
    }
#pragma unroll
    for (int b = 0; b < BLOCKS; ++b) top = fmaxf(top, maximum[b]);
    float total = 0, weight = 0;
#pragma unroll
    for (int b = 0; b < BLOCKS; ++b) {
      const float factor = exp2f(maximum[b] - top);
      total += factor * sum[b];
      weight += factor * weights[b];
    }
    out[i] = to_bf16(total / weight);
  }
  // No block may end while another one still reads from its shared memory.
  cluster_arrive_relaxed();
  cluster_wait();
#else
  __syncthreads();
  for (int i = threadIdx.x; i < kGroup * HEAD; i += kThreads)
    out[i] = to_bf16(result[i / HEAD][i % HEAD] / result_normaliser[i / HEAD]);
#endif
}
