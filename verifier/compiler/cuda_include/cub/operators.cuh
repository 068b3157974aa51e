// CUB's binary operators, and shuffles of values of any size.
#pragma once
namespace cub {

struct Sum {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Max {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

namespace detail {

/// The value of the lane `delta` higher (up: lower), within groups of `width` lanes.
template <bool up, class T>
__device__ inline T shuffled(unsigned mask, const T& value, int delta, int width) {
  constexpr int words = (sizeof(T) + 3) / 4;
  union Words {
    T value;
    unsigned word[words];
    __device__ Words() {}
  } mine, theirs;
  mine.value = value;
  for (int i = 0; i < words; ++i)
    theirs.word[i] = up ? __shfl_up_sync(mask, mine.word[i], delta, width) : __shfl_down_sync(mask, mine.word[i], delta, width);
  return theirs.value;
}

template <int X, int Y, int Z>
__device__ inline int thread_of_block() {
  return (threadIdx.z * Y + threadIdx.y) * X + threadIdx.x;
}

}  // namespace detail
}  // namespace cub
