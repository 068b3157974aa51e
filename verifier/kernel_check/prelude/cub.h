// The collectives of CUB that kernels use within a block or a warp; compiler/cuda_include/cub has them for
// NVRTC. The sizes of TempStorage differ from CUB's.
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

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
 public:
  struct TempStorage {
    int unused;
  };
  __device__ BlockReduce();
  __device__ explicit BlockReduce(TempStorage&);
  __device__ T Sum(T);
  __device__ T Sum(T, int valid);
  template <class F>
  __device__ T Reduce(T, F);
  template <class F>
  __device__ T Reduce(T, F, int valid);
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
 public:
  struct TempStorage {
    int unused;
  };
  __device__ BlockScan();
  __device__ explicit BlockScan(TempStorage&);
  __device__ void InclusiveSum(T, T&);
  __device__ void InclusiveSum(T, T&, T& all);
  __device__ void ExclusiveSum(T, T&);
  __device__ void ExclusiveSum(T, T&, T& all);
  template <class F>
  __device__ void InclusiveScan(T, T&, F);
  template <class F>
  __device__ void InclusiveScan(T, T&, F, T& all);
  template <class F>
  __device__ void ExclusiveScan(T, T&, T first, F);
  template <class F>
  __device__ void ExclusiveScan(T, T&, T first, F, T& all);
};

template <class T, int Threads = 32>
class WarpReduce {
 public:
  struct TempStorage {
    int unused;
  };
  __device__ explicit WarpReduce(TempStorage&);
  __device__ T Sum(T);
  __device__ T Sum(T, int valid);
  template <class F>
  __device__ T Reduce(T, F);
  template <class F>
  __device__ T Reduce(T, F, int valid);
};

}  // namespace cub
