// cub::WarpReduce: the first lane gets the result.
#pragma once
#include "../operators.cuh"
namespace cub {

template <class T, int Threads = 32>
class WarpReduce {
  static_assert(Threads >= 1 && Threads <= 32 && (Threads & (Threads - 1)) == 0, "a power of two of at most 32 lanes");

 public:
  struct TempStorage {
    int unused;
  };
  __device__ explicit WarpReduce(TempStorage&) {}
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <class F>
  __device__ T Reduce(T value, F join) {
    return Reduce(value, join, Threads);
  }
  template <class F>
  __device__ T Reduce(T value, F join, int valid) {
    const unsigned warp_lane = thread() % 32, lane = warp_lane % Threads;
    const unsigned mask = Threads == 32 ? 0xffffffffu : ((1u << (Threads % 32)) - 1) << (warp_lane - lane);
    for (int delta = 1; delta < Threads; delta *= 2) {
      const T other = detail::shuffled<false>(mask, value, delta, Threads);
      // Before this step, each lane holds the combination of `delta` lanes, beginning with itself.
      if (lane % (2 * delta) == 0 && static_cast<int>(lane) + delta < valid) value = join(value, other);
    }
    return value;
  }

 private:
  __device__ static unsigned thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
};

}  // namespace cub
