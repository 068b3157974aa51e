// cub::BlockScan for one value per thread.
#pragma once
#include "../operators.cuh"
namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
  static constexpr int threads = X * Y * Z;

 public:
  struct alignas(T) TempStorage {
    unsigned char room[threads * sizeof(T)];
  };
  __device__ BlockScan() : room_(reinterpret_cast<T*>(own().room)) {}
  __device__ explicit BlockScan(TempStorage& room) : room_(reinterpret_cast<T*>(room.room)) {}
  __device__ void InclusiveSum(T value, T& to) { InclusiveScan(value, to, cub::Sum()); }
  __device__ void InclusiveSum(T value, T& to, T& all) { InclusiveScan(value, to, cub::Sum(), all); }
  __device__ void ExclusiveSum(T value, T& to) { ExclusiveScan(value, to, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& to, T& all) { ExclusiveScan(value, to, T(), cub::Sum(), all); }
  template <class F>
  __device__ void InclusiveScan(T value, T& to, F join) {
    to = scan(value, join);
  }
  template <class F>
  __device__ void InclusiveScan(T value, T& to, F join, T& all) {
    to = scan(value, join);
    all = room_[threads - 1];
  }
  template <class F>
  __device__ void ExclusiveScan(T value, T& to, T first, F join) {
    scan(value, join);
    const int thread = detail::thread_of_block<X, Y, Z>();
    to = thread == 0 ? first : join(first, room_[thread - 1]);
  }
  template <class F>
  __device__ void ExclusiveScan(T value, T& to, T first, F join, T& all) {
    ExclusiveScan(value, to, first, join);
    all = room_[threads - 1];
  }

 private:
  /// Returns the combination of all values up to this thread's; `room_` then holds it for every thread.
  template <class F>
  __device__ T scan(T value, F join) {
    const int thread = detail::thread_of_block<X, Y, Z>();
    room_[thread] = value;
    __syncthreads();
    for (int delta = 1; delta < threads; delta *= 2) {
      const bool has = thread >= delta;
      T before = value;
      if (has) before = room_[thread - delta];
      __syncthreads();
      if (has) room_[thread] = value = join(before, value);
      __syncthreads();
    }
    return value;
  }
  __device__ static TempStorage& own() {
    __shared__ TempStorage room;
    return room;
  }
  T* room_;
};

}  // namespace cub
