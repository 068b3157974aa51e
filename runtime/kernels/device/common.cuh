// The parts that the kernels of decoding share. They are compiled by NVRTC without any header, so that
// nothing has to be installed.
//
// Programmatic dependent launch: a kernel starts while the previous one still runs. Until `wait_for_previous`
// returns, it may only read memory that no kernel of the step writes (weights). Once it has returned, the
// previous kernel is complete, and so is every kernel before that, since each of them calls this function.
// `let_next_start` is called after it, so that whatever starts early follows a complete kernel.
#pragma once

using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long long;
using int64 = long long;

/// Bits of a bf16 number.
using bf16 = uint16;

struct alignas(16) Bytes16 {
  uint32 word[4];
};

__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ void let_next_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ __forceinline__ float to_float(bf16 x) { return __uint_as_float(static_cast<uint32>(x) << 16); }
__device__ __forceinline__ float low_float(uint32 pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high_float(uint32 pair) { return __uint_as_float(pair & 0xffff0000u); }

/// Rounds two numbers to the nearest bf16, ties to even. `low` becomes the lower half.
__device__ __forceinline__ uint32 pack(float low, float high) {
  uint32 pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
__device__ __forceinline__ bf16 to_bf16(float x) { return static_cast<bf16>(pack(x, 0.0f)); }

__device__ __forceinline__ uint32 shared_address(const void* pointer) {
  return static_cast<uint32>(__cvta_generic_to_shared(pointer));
}

/// Copies 16 bytes from global to shared memory in the background, bypassing the L1 cache. The L2 cache
/// fetches the whole line of 128 bytes, which is 14 % faster if a warp takes 64 bytes from each of several
/// rows (measured on an H200).
__device__ __forceinline__ void copy_async(uint32 to, const void* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
/// Copies 8 bytes in the background, through the L1 cache.
__device__ __forceinline__ void copy_async_8(uint32 to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `N` of this thread's groups of copies are still under way.
template <int N>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/// d += a b for a tile of 16 × 16 times 16 × 8 in bf16, summed in f32. With g = lane / 4 and t = lane % 4,
/// `a` holds rows g and g + 8 by turns at columns 2t, 2t + 1, then the same at columns 2t + 8, 2t + 9; `b`
/// rows 2t, 2t + 1, then 2t + 8, 2t + 9 of column g; `d` columns 2t and 2t + 1 of row g, then of row g + 8
/// (PTX, mma.m16n8k16).
__device__ __forceinline__ void multiply(float (&d)[4], uint32 a0, uint32 a1, uint32 a2, uint32 a3, uint32 b0,
                                         uint32 b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

__device__ __forceinline__ Bytes16 load_past_l1(const void* from) {
  Bytes16 out;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(out.word[0]), "=r"(out.word[1]), "=r"(out.word[2]), "=r"(out.word[3])
               : "l"(from)
               : "memory");
  return out;
}

struct alignas(16) FourFloats {
  float x[4];
};

#if __CUDA_ARCH__ >= 900
/// The two halves of a barrier of a cluster's threads.
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}
/// The same as cluster_arrive, but without announcing earlier writes, and so without waiting for them.
__device__ __forceinline__ void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
/// Returns the address that corresponds in block `block` of the cluster to this address of shared memory.
__device__ __forceinline__ uint32 address_in_block(uint32 here, int block) {
  uint32 there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(block));
  return there;
}
/// Loads the number (load_four_of_block: four numbers) at this address in block `block` of the cluster.
__device__ __forceinline__ float load_of_block(const float* here, int block) {
  float x;
  asm volatile("ld.shared::cluster.f32 %0, [%1];"
               : "=f"(x)
               : "r"(address_in_block(shared_address(here), block))
               : "memory");
  return x;
}
__device__ __forceinline__ FourFloats load_four_of_block(const float* here, int block) {
  FourFloats v;
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x[0]), "=f"(v.x[1]), "=f"(v.x[2]), "=f"(v.x[3])
               : "r"(address_in_block(shared_address(here), block))
               : "memory");
  return v;
}
#endif

/// Returns the sum over a block of THREADS threads to every thread. The order of summation is the same at
/// each call. `scratch` holds THREADS / 32 numbers and may be used again after the next barrier.
template <int THREADS>
__device__ __forceinline__ float block_sum(float x, float* scratch) {
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffffu, x, offset);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = x;
  __syncthreads();
  float total = 0;
  for (int i = 0; i < THREADS / 32; ++i) total += scratch[i];
  return total;
}

/// Philox 4×32 with 10 rounds, as in base/support/random.cpp: the four words of a counter.
__device__ __forceinline__ void philox(uint64 key, uint64 counter, uint32 (&c)[4]) {
  uint32 k0 = static_cast<uint32>(key), k1 = static_cast<uint32>(key >> 32);
  c[0] = static_cast<uint32>(counter), c[1] = static_cast<uint32>(counter >> 32), c[2] = 0, c[3] = 0;
  for (int round = 0; round < 10; ++round) {
    const uint64 a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    const uint32 next[4] = {static_cast<uint32>(b >> 32) ^ c[1] ^ k0, static_cast<uint32>(b),
                            static_cast<uint32>(a >> 32) ^ c[3] ^ k1, static_cast<uint32>(a)};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

/// SiLU, x / (1 + exp(-x)).
__device__ __forceinline__ float silu(float x) { return x / (1.0f + __expf(-x)); }
/// GELU by its tangent approximation (Hendrycks and Gimpel, 2016).
__device__ __forceinline__ float gelu_tanh(float x) {
  const float inner = 0.7978845608028654f * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + tanhf(inner));
}

/// How products are summed: K is cut into 16 slices of whole steps of 32. The matrix units sum a slice from
/// its first step to its last. Four slices, summed in order, make a quarter, and the quarters are summed in
/// order, too. Every kernel keeps to this order, however it shares slices among warps and blocks, so a result
/// doesn't depend on how many columns are computed together.
constexpr int kSlices = 16;
constexpr int kQuarter = 4;

/// Returns the sum of a value's COUNT parts, which lie `stride` numbers apart: 1 part, 4 parts (quarters) or
/// 16 (slices).
template <int COUNT>
__device__ __forceinline__ float sum_parts(const float* first, int64 stride) {
  if (COUNT == 1) return first[0];
  float values[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; ++i) values[i] = first[i * stride];
  if (COUNT == 4) return values[0] + values[1] + values[2] + values[3];
  float total = 0;
#pragma unroll
  for (int q = 0; q < COUNT / kQuarter; ++q) {
    const float* v = values + q * kQuarter;
    const float quarter = v[0] + v[1] + v[2] + v[3];
    total = q == 0 ? quarter : total + quarter;
  }
  return total;
}
