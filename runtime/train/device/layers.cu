// The operators between the matrix products of a layer, forward and backward: norms with the residual stream,
// rotations, SwiGLU.
//
// Macros: HIDDEN (a multiple of 64), HEADS, KV_HEADS, HEAD (numbers of a head, even), EPSILON (of the norms),
// QK_NORM (whether the heads of q and k are normalised before they are rotated).
#include "common.cuh"

constexpr int kThreads = 256;
constexpr int kPairs = (HIDDEN / 2 + kThreads - 1) / kThreads;  // that a thread holds

struct Two {
  float x, y;
};

struct Norm {
  float* stream;  // [rows][HIDDEN]: the residual stream
  const bf16* y;  // [rows][HIDDEN]: `add_and_norm` adds it first, `norm_again` subtracts it; null: nothing
  const float* weight;  // [HIDDEN]
  float* scale;         // [rows]: 1 / √(mean square + ε)
  bf16* h;              // [rows][HIDDEN]: the normalised stream times the weight
};

__device__ __forceinline__ void store_normed(const Norm& p, int64 at, int i, float scale, Two v) {
  const Two w = reinterpret_cast<const Two*>(p.weight)[i];
  reinterpret_cast<uint32*>(p.h)[at] = pack(v.x * scale * w.x, v.y * scale * w.y);
}

// A block takes a row.
extern "C" __global__ void __launch_bounds__(kThreads) add_and_norm(Norm p) {
  __shared__ float scratch[kThreads / 32];
  const int64 row = static_cast<int64>(blockIdx.x) * (HIDDEN / 2);
  Two v[kPairs];
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kPairs; ++k) {
    const int i = threadIdx.x + k * kThreads;
    if (i >= HIDDEN / 2) break;
    v[k] = reinterpret_cast<const Two*>(p.stream)[row + i];
    if (p.y) {
      const uint32 y = reinterpret_cast<const uint32*>(p.y)[row + i];
      v[k] = {v[k].x + low_float(y), v[k].y + high_float(y)};
      reinterpret_cast<Two*>(p.stream)[row + i] = v[k];
    }
    squares += v[k].x * v[k].x + v[k].y * v[k].y;
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares, scratch) / HIDDEN + EPSILON);
  if (threadIdx.x == 0) p.scale[blockIdx.x] = scale;
#pragma unroll
  for (int k = 0; k < kPairs; ++k) {
    const int i = threadIdx.x + k * kThreads;
    if (i < HIDDEN / 2) store_normed(p, row + i, i, scale, v[k]);
  }
}

// Undoes an addition to the residual stream, and computes the norm's output again.
extern "C" __global__ void __launch_bounds__(kThreads) norm_again(Norm p) {
  const int64 row = static_cast<int64>(blockIdx.x) * (HIDDEN / 2);
  const float scale = p.scale[blockIdx.x];
  for (int i = threadIdx.x; i < HIDDEN / 2; i += kThreads) {
    Two v = reinterpret_cast<const Two*>(p.stream)[row + i];
    const uint32 y = reinterpret_cast<const uint32*>(p.y)[row + i];
    v = {v.x - low_float(y), v.y - high_float(y)};
    reinterpret_cast<Two*>(p.stream)[row + i] = v;
    store_normed(p, row + i, i, scale, v);
  }
}

struct NormBackward {
  const float* stream;  // [rows][HIDDEN]: what was normalised
  const float* weight;  // [HIDDEN]
  const float* scale;   // [rows]
  const bf16* d_h;      // [rows][HIDDEN]: the gradient of the norm's output
  float* d_stream;      // [rows][HIDDEN]: the stream's gradient, to which the norm's is added
  bf16* half;           // [rows][HIDDEN]: the same in bf16
};

extern "C" __global__ void __launch_bounds__(kThreads) norm_backward(NormBackward p) {
  __shared__ float scratch[kThreads / 32];
  const int64 row = static_cast<int64>(blockIdx.x) * (HIDDEN / 2);
  const float scale = p.scale[blockIdx.x];
  Two v[kPairs], d[kPairs];
  float dot = 0;
#pragma unroll
  for (int k = 0; k < kPairs; ++k) {
    const int i = threadIdx.x + k * kThreads;
    if (i >= HIDDEN / 2) break;
    v[k] = reinterpret_cast<const Two*>(p.stream)[row + i];
    v[k] = {v[k].x * scale, v[k].y * scale};
    const uint32 d_h = reinterpret_cast<const uint32*>(p.d_h)[row + i];
    const Two w = reinterpret_cast<const Two*>(p.weight)[i];
    d[k] = {low_float(d_h) * w.x, high_float(d_h) * w.y};
    dot += d[k].x * v[k].x + d[k].y * v[k].y;
  }
  const float mean = block_sum<kThreads>(dot, scratch) / HIDDEN;
#pragma unroll
  for (int k = 0; k < kPairs; ++k) {
    const int i = threadIdx.x + k * kThreads;
    if (i >= HIDDEN / 2) break;
    Two to = reinterpret_cast<const Two*>(p.d_stream)[row + i];
    to = {to.x + scale * (d[k].x - v[k].x * mean), to.y + scale * (d[k].y - v[k].y * mean)};
    reinterpret_cast<Two*>(p.d_stream)[row + i] = to;
    reinterpret_cast<uint32*>(p.half)[row + i] = pack(to.x, to.y);
  }
}

constexpr int kRow = (HEADS + 2 * KV_HEADS) * HEAD;  // numbers of q, k and v of a token

struct Rotation {
  bf16* qkv;             // [rows][kRow]
  const bf16* d_q;       // [rows][HEADS][HEAD]     of `rotate_back` alone
  const bf16* d_k;       // [rows][KV_HEADS][HEAD]
  const bf16* d_v;       // [rows][KV_HEADS][HEAD]
  const float* cosine;   // [positions][HEAD / 2]
  const float* sine;     // [positions][HEAD / 2]
  const int* positions;  // [rows]
  // With QK_NORM:
  bf16* plain;  // [rows][HEADS + KV_HEADS][HEAD]: q and k before their norms, which `rotate` leaves there
  const float* query_weight;  // [HEAD]: of the norms
  const float* key_weight;
};

#if QK_NORM
constexpr int kHeadPairs = (HEAD / 2 + 31) / 32;  // pairs (i, i + HEAD / 2) of a head that a lane holds

// Returns the sum over a warp to every lane.
__device__ __forceinline__ float warp_sum(float x) {
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffffu, x, offset);
  return x;
}

// Loads the pairs of a head that a lane holds, with zeros beyond the last pair. Returns the head's
// 1 / √(mean square + ε).
__device__ __forceinline__ float load_head(Two (&v)[kHeadPairs], const bf16* from) {
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kHeadPairs; ++k) {
    const int i = threadIdx.x % 32 + 32 * k;
    v[k] = {0.0f, 0.0f};
    if (i < HEAD / 2) v[k] = {to_float(from[i]), to_float(from[i + HEAD / 2])};
    squares += v[k].x * v[k].x + v[k].y * v[k].y;
  }
  return rsqrtf(warp_sum(squares) / HEAD + EPSILON);
}
#endif

// Rotates q and k in place by the position's angle, in pairs (i, i + HEAD / 2); with QK_NORM they are
// normalised before. A block takes a row.
extern "C" __global__ void __launch_bounds__(128) rotate(Rotation p) {
  const int64 table = static_cast<int64>(p.positions[blockIdx.x]) * (HEAD / 2);
  bf16* row = p.qkv + static_cast<int64>(blockIdx.x) * kRow;
#if QK_NORM
  bf16* plain = p.plain + static_cast<int64>(blockIdx.x) * ((HEADS + KV_HEADS) * HEAD);
  // A warp takes a head.
  for (int head = threadIdx.x / 32; head < HEADS + KV_HEADS; head += 4) {
    const float* weight = head < HEADS ? p.query_weight : p.key_weight;
    Two v[kHeadPairs];
    const float scale = load_head(v, row + head * HEAD);
#pragma unroll
    for (int k = 0; k < kHeadPairs; ++k) {
      const int i = threadIdx.x % 32 + 32 * k;
      if (i >= HEAD / 2) break;
      bf16 *at = row + head * HEAD + i, *kept = plain + head * HEAD + i;
      kept[0] = at[0], kept[HEAD / 2] = at[HEAD / 2];
      const float low = v[k].x * scale * weight[i], high = v[k].y * scale * weight[i + HEAD / 2],
                  c = p.cosine[table + i], s = p.sine[table + i];
      at[0] = to_bf16(low * c - high * s);
      at[HEAD / 2] = to_bf16(high * c + low * s);
    }
  }
#else
  for (int e = threadIdx.x; e < (HEADS + KV_HEADS) * (HEAD / 2); e += 128) {
    const int i = e % (HEAD / 2);
    bf16* at = row + e / (HEAD / 2) * HEAD + i;
    const float low = to_float(at[0]), high = to_float(at[HEAD / 2]), c = p.cosine[table + i],
                s = p.sine[table + i];
    at[0] = to_bf16(low * c - high * s);
    at[HEAD / 2] = to_bf16(high * c + low * s);
  }
#endif
}

// Computes the gradients of q, k and v before norm and rotation, and writes them to `qkv` side by side.
extern "C" __global__ void __launch_bounds__(128) rotate_back(Rotation p) {
  const int64 index = blockIdx.x;
  const int64 table = static_cast<int64>(p.positions[blockIdx.x]) * (HEAD / 2);
  bf16* row = p.qkv + index * kRow;
#if QK_NORM
  const bf16* plain = p.plain + index * ((HEADS + KV_HEADS) * HEAD);
  for (int head = threadIdx.x / 32; head < HEADS + KV_HEADS; head += 4) {
    const float* weight = head < HEADS ? p.query_weight : p.key_weight;
    const bf16* from = head < HEADS ? p.d_q + (index * HEADS + head) * HEAD
                                    : p.d_k + (index * KV_HEADS + head - HEADS) * HEAD;
    Two v[kHeadPairs], d[kHeadPairs];
    const float scale = load_head(v, plain + head * HEAD);
    float dot = 0;
#pragma unroll
    for (int k = 0; k < kHeadPairs; ++k) {
      const int i = threadIdx.x % 32 + 32 * k;
      d[k] = {0.0f, 0.0f};
      if (i < HEAD / 2) {
        const float low = to_float(from[i]), high = to_float(from[i + HEAD / 2]), c = p.cosine[table + i],
                    s = p.sine[table + i];
        d[k] = {(low * c + high * s) * weight[i], (high * c - low * s) * weight[i + HEAD / 2]};
      }
      v[k] = {v[k].x * scale, v[k].y * scale};
      dot += d[k].x * v[k].x + d[k].y * v[k].y;
    }
    const float mean = warp_sum(dot) / HEAD;
#pragma unroll
    for (int k = 0; k < kHeadPairs; ++k) {
      const int i = threadIdx.x % 32 + 32 * k;
      if (i >= HEAD / 2) break;
      bf16* at = row + head * HEAD + i;
      at[0] = to_bf16(scale * (d[k].x - v[k].x * mean));
      at[HEAD / 2] = to_bf16(scale * (d[k].y - v[k].y * mean));
    }
  }
#else
  for (int e = threadIdx.x; e < (HEADS + KV_HEADS) * (HEAD / 2); e += 128) {
    const int i = e % (HEAD / 2), head = e / (HEAD / 2);
    const bf16* from = (head < HEADS ? p.d_q + (index * HEADS + head) * HEAD
                                     : p.d_k + (index * KV_HEADS + head - HEADS) * HEAD) +
                       i;
    const float low = to_float(from[0]), high = to_float(from[HEAD / 2]), c = p.cosine[table + i],
                s = p.sine[table + i];
    bf16* at = row + head * HEAD + i;
    at[0] = to_bf16(low * c + high * s);
    at[HEAD / 2] = to_bf16(high * c - low * s);
  }
#endif
  for (int e = threadIdx.x; e < KV_HEADS * HEAD; e += 128)
    row[(HEADS + KV_HEADS) * HEAD + e] = p.d_v[index * (KV_HEADS * HEAD) + e];
}
