// cub::BlockReduce: the first thread gets the result. Values are combined in the order of the threads.
#pragma once
#include "../operators.cuh"
namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
  static constexpr int threads = X * Y * Z;

 public:
  struct alignas(T) TempStorage {
    unsigned char room[threads * sizeof(T)];
  };
  __device__ BlockReduce() : room_(reinterpret_cast<T*>(own().room)) {}
  __device__ explicit BlockReduce(TempStorage& room) : room_(reinterpret_cast<T*>(room.room)) {}
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <class F>
  __device__ T Reduce(T value, F join) {
    return Reduce(value, join, threads);
  }
  template <class F>
  __device__ T Reduce(T value, F join, int valid) {
    const int thread = detail::thread_of_block<X, Y, Z>();
    room_[thread] = value;
    for (int delta = 1; delta < threads; delta *= 2) {
      __syncthreads();
      if (thread % (2 * delta) == 0 && thread + delta < valid && thread + delta < threads)
        room_[thread] = value = join(value, room_[thread + delta]);
    }
    return value;
  }

 private:
  __device__ static TempStorage& own() {
    __shared__ TempStorage room;
    return room;
  }
  T* room_;
};

}  // namespace cub
