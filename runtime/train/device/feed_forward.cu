// SwiGLU between the products of a feed-forward layer, forward and backward, with the adapters of the layer's
// three modules. The adapters' additions to gate, up and the gradient of the activation are computed where
// they are needed, and so are neither written nor read. The products of the adapters' narrow matrices with
// the values that are written here are computed here, too.
//
// Macros: INNER (a multiple of 64), GATE_UNITS, UP_UNITS, DOWN_UNITS (0 to 4: units of 16 ranks of each
// module's adapter), MASKED (whether there is dropout).
#include "adapter.cuh"

constexpr int kThreads = 128;

struct FeedForward {
  bf16* gate_up;  // [rows][2 · INNER]: gate, then up, without the adapters' parts; `feed_forward_backward`
                  // leaves their gradients there
  bf16* out;  // [rows][INNER]: silu(gate) · up. `feed_forward_backward` finds its gradient there, without the
              // adapter's part
  const bf16* gate_low[4];  // of each unit: [rows][16]
  const bf16* up_low[4];
  const bf16* down_low[4];  // of the gradient
  const bf16* gate_b[4];    // of each unit: [INNER][16]
  const bf16* up_b[4];
  const bf16* down_a[4];
  const bf16* first_by_rank[4];   // forward: A of down's units, [16][INNER]; backward: B of gate's
  const bf16* second_by_rank[4];  // backward: B of up's
  float* first_parts;             // [gridDim.y][rows][16 · units]: their sums over a block's columns
  float* second_parts;
  const uint8* kept;  // [rows][INNER / 8]: dropout of down's input; null without dropout
  float scale;        // the scale of down's dropout
  int rows;           // a multiple of 64
  int steps;          // a block takes `steps` times 64 columns
};

template <int UNITS>
struct Adapter {
  uint32 a[UNITS > 0 ? UNITS : 1][4];

  __device__ __forceinline__ void load(const bf16* const (&low)[4], int row, int t) {
#pragma unroll
    for (int u = 0; u < UNITS; ++u) load_low(a[u], low[u], row, t);
  }
  // Computes the adapter's addition to eight columns of two rows.
  __device__ __forceinline__ void product(float (&sum)[2][8], const bf16* const (&b)[4], int column, int g,
                                          int t) const {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      float d[4] = {};
#pragma unroll
      for (int u = 0; u < UNITS; ++u) {
        const bf16* from = row_of_tile(b[u], column, q, g, t);
        multiply(d, a[u][0], a[u][1], a[u][2], a[u][3], *reinterpret_cast<const uint32*>(from),
                 *reinterpret_cast<const uint32*>(from + 8));
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) sum[i / 2][2 * q + i % 2] = d[i];
    }
  }
};

// The product of a lane's numbers with narrow matrices, computed as `down` of adapter.cu does.
template <int UNITS>
struct Narrow {
  float sum[UNITS > 0 ? UNITS : 1][2][4] = {};

  // Adds the products of eight numbers of rows g and g + 8, from column c on.
  __device__ __forceinline__ void add(const Bytes16& upper, const Bytes16& lower, const bf16* const (&a)[4],
                                      int c, int g) {
#pragma unroll
    for (int u = 0; u < UNITS; ++u)
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const Bytes16 b = load(a[u] + static_cast<int64>(g + 8 * n) * INNER + c);
#pragma unroll
        for (int half = 0; half < 4; half += 2)
          multiply(sum[u][n], upper.word[half], lower.word[half], upper.word[half + 1], lower.word[half + 1],
                   b.word[half], b.word[half + 1]);
      }
  }
  __device__ __forceinline__ void store(float* parts, int rows, int row, int t) const {
    float* out = parts + static_cast<int64>(blockIdx.y) * rows * (kRank * UNITS);
    for (int u = 0; u < UNITS; ++u)
      for (int n = 0; n < 2; ++n)
        for (int i = 0; i < 4; ++i)
          out[static_cast<int64>(row + 8 * (i / 2)) * (kRank * UNITS) + kRank * u + 8 * n + 2 * t + i % 2] =
              sum[u][n][i];
  }
};

// Adds eight values to eight sums.
__device__ __forceinline__ void add(float (&sum)[8], const Bytes16& x) {
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    sum[2 * w] += low_float(x.word[w]);
    sum[2 * w + 1] += high_float(x.word[w]);
  }
}

__device__ __forceinline__ Bytes16 store(bf16* to, const float (&x)[8]) {
  Bytes16 bytes;
#pragma unroll
  for (int w = 0; w < 4; ++w) bytes.word[w] = pack(x[2 * w], x[2 * w + 1]);
  *reinterpret_cast<Bytes16*>(to) = bytes;
  return bytes;
}

// A warp takes 16 rows. Of 64 columns, a lane takes the eight from 8t on in each half.
template <bool BACKWARD>
__device__ __forceinline__ void layer(const FeedForward& p) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int row = (blockIdx.x * (kThreads / 32) + threadIdx.x / 32) * 16 + g;
  const int begin = blockIdx.y * p.steps * 64;
  const int end = min(INNER, begin + p.steps * 64);
  Adapter<GATE_UNITS> of_gate;
  Adapter<UP_UNITS> of_up;
  Adapter<BACKWARD ? DOWN_UNITS : 0> of_down;
  of_gate.load(p.gate_low, row, t);
  of_up.load(p.up_low, row, t);
  of_down.load(p.down_low, row, t);
  Narrow<BACKWARD ? GATE_UNITS : DOWN_UNITS> first;
  Narrow<BACKWARD ? UP_UNITS : 0> second;
  for (int c = begin; c < end; c += 64) {
    Bytes16 gates[4], ups[4], outs[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int64 first_of_row = static_cast<int64>(row + 8 * (i % 2)) * INNER, at = c + 32 * (i / 2) + 8 * t;
      gates[i] = ::load(p.gate_up + 2 * first_of_row + at);
      ups[i] = ::load(p.gate_up + 2 * first_of_row + INNER + at);
      if (BACKWARD) outs[i] = ::load(p.out + first_of_row + at);
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int column = c + 32 * half;
      float gate[2][8] = {}, up[2][8] = {}, out[2][8] = {};
      of_gate.product(gate, p.gate_b, column, g, t);
      of_up.product(up, p.up_b, column, g, t);
      if (BACKWARD) of_down.product(out, p.down_a, column, g, t);
      Bytes16 firsts[2], seconds[2];
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int64 at = static_cast<int64>(row + 8 * r) * INNER + column + 8 * t;
        add(gate[r], gates[2 * half + r]);
        add(up[r], ups[2 * half + r]);
        uint32 kept = 0xff;
#if MASKED
        if (DOWN_UNITS > 0 && p.kept) kept = p.kept[at / 8];
#endif
        if (BACKWARD) {
#pragma unroll
          for (int k = 0; k < 8; ++k) out[r][k] = kept >> k & 1u ? p.scale * out[r][k] : 0.0f;
          add(out[r], outs[2 * half + r]);
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          if (!BACKWARD) {
            out[r][k] = silu(gate[r][k]) * up[r][k];
            continue;
          }
          const float sigmoid = 1.0f / (1.0f + __expf(-gate[r][k])), active = gate[r][k] * sigmoid,
                      d = out[r][k];
          out[r][k] = active * up[r][k];
          gate[r][k] = d * up[r][k] * (sigmoid + active * (1.0f - sigmoid));
          up[r][k] = d * active;
        }
        firsts[r] = keep(store(p.out + at, out[r]), kept);
        if (BACKWARD) {
          bf16* gate_up = p.gate_up + static_cast<int64>(row + 8 * r) * (2 * INNER) + column + 8 * t;
          firsts[r] = store(gate_up, gate[r]);
          seconds[r] = store(gate_up + INNER, up[r]);
        }
      }
      first.add(firsts[0], firsts[1], p.first_by_rank, column + 8 * t, g);
      if (BACKWARD) second.add(seconds[0], seconds[1], p.second_by_rank, column + 8 * t, g);
    }
  }
  first.store(p.first_parts, p.rows, row, t);
  second.store(p.second_parts, p.rows, row, t);
}

extern "C" __global__ void __launch_bounds__(kThreads) feed_forward(FeedForward p) { layer<false>(p); }
extern "C" __global__ void __launch_bounds__(kThreads) feed_forward_backward(FeedForward p) {
  layer<true>(p);
}
