// The log-probability of each row's target, and its gradient with respect to the logits.
//
// Macros: VOCABULARY (logits of a row).
#include "common.cuh"

constexpr int kThreads = 512;
// How many numbers a thread reads at once: as many as the rows' alignment allows.
constexpr int kVector = VOCABULARY % 8 == 0 ? 8 : VOCABULARY % 4 == 0 ? 4 : VOCABULARY % 2 == 0 ? 2 : 1;
constexpr int kVectors = VOCABULARY / kVector;

struct alignas(2 * kVector) Some {
  bf16 x[kVector];
};

struct Likelihood {
  bf16* logits;              // [rows][VOCABULARY]
  const int64* targets;      // [rows]
  float* log_sum;            // [rows]: log Σ exp(logit)
  float* log_probabilities;  // [rows] of the targets
  float* entropy;            // [rows], or null
  const float* coefficient;  // [rows]: the derivative of the loss by the target's log-probability
};

// The sums of exp(x - most) and of (x - most) exp(x - most) over a part of the numbers. The Sums of two parts
// can be joined.
struct Sums {
  float most, sum, product;
};

__device__ __forceinline__ Sums join(Sums a, Sums b) {
  const float most = fmaxf(a.most, b.most), shift_a = a.most - most, shift_b = b.most - most;
  const float scale_a = __expf(shift_a), scale_b = __expf(shift_b);
  return {most, a.sum * scale_a + b.sum * scale_b,
          (a.product + shift_a * a.sum) * scale_a + (b.product + shift_b * b.sum) * scale_b};
}

// A block takes a row.
extern "C" __global__ void __launch_bounds__(kThreads) score(Likelihood p) {
  __shared__ Sums shared[kThreads / 32];
  const int64 row = blockIdx.x;
  const bf16* logits = p.logits + row * VOCABULARY;
  Sums own{-1e30f, 0, 0};
  for (int i = threadIdx.x; i < kVectors; i += kThreads) {
    const Some some = reinterpret_cast<const Some*>(logits)[i];
    float most = own.most;
#pragma unroll
    for (int k = 0; k < kVector; ++k) most = fmaxf(most, to_float(some.x[k]));
    const float shift = own.most - most, scale = __expf(shift);
    own = {most, own.sum * scale, (own.product + shift * own.sum) * scale};
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      const float x = to_float(some.x[k]) - most, e = __expf(x);
      own.sum += e;
      own.product += x * e;
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const Sums other{__shfl_xor_sync(0xffffffffu, own.most, offset),
                     __shfl_xor_sync(0xffffffffu, own.sum, offset),
                     __shfl_xor_sync(0xffffffffu, own.product, offset)};
    own = join(own, other);
  }
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < kThreads / 32; ++w) own = join(own, shared[w]);
  const float log_sum = own.most + logf(own.sum);
  p.log_sum[row] = log_sum;
  p.log_probabilities[row] = to_float(logits[p.targets[row]]) - log_sum;
  if (p.entropy) p.entropy[row] = logf(own.sum) - own.product / own.sum;
}

// logits ← coefficient · (one at the target - softmax(logits)).
extern "C" __global__ void __launch_bounds__(kThreads) score_backward(Likelihood p) {
  const int64 row = blockIdx.x;
  bf16* logits = p.logits + row * VOCABULARY;
  const float log_sum = p.log_sum[row], coefficient = p.coefficient[row];
  const int target = static_cast<int>(p.targets[row]);
  for (int i = threadIdx.x; i < kVectors; i += kThreads) {
    Some some = reinterpret_cast<const Some*>(logits)[i];
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      const float probability = __expf(to_float(some.x[k]) - log_sum);
      some.x[k] = to_bf16(coefficient * ((i * kVector + k == target ? 1.0f : 0.0f) - probability));
    }
    reinterpret_cast<Some*>(logits)[i] = some;
  }
}
