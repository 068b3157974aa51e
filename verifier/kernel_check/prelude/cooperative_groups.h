// The part of cooperative groups that kernels use.
#pragma once

namespace cooperative_groups {

class thread_block {
 public:
  __device__ void sync() const;
  __device__ static void sync_all();
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
};
class grid_group {
 public:
  __device__ void sync() const;
  __device__ bool is_valid() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long block_rank() const;
  __device__ unsigned long long num_blocks() const;
};
template <unsigned int Size, class Parent = void>
class thread_block_tile {
 public:
  thread_block_tile() = default;
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other>&);
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  template <class T>
  __device__ T shfl(T, int) const;
  template <class T>
  __device__ T shfl_up(T, unsigned int) const;
  template <class T>
  __device__ T shfl_down(T, unsigned int) const;
  template <class T>
  __device__ T shfl_xor(T, unsigned int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned int ballot(int) const;
};
class coalesced_group {
 public:
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
  template <class T>
  __device__ T shfl(T, int) const;
  template <class T>
  __device__ T shfl_down(T, unsigned int) const;
};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent&);
template <class G>
__device__ void sync(const G& group) {
  group.sync();
}
template <class T>
struct plus {};
template <class T>
struct less {};
template <class T>
struct greater {};
template <class G, class T, class F>
__device__ T reduce(const G&, T, F&&);
template <class G, class T, class F>
__device__ T inclusive_scan(const G&, T, F&&);
template <class G, class T, class F>
__device__ T exclusive_scan(const G&, T, F&&);
template <class G, class T>
__device__ void memcpy_async(const G&, T*, const T*, size_t);
template <class G>
__device__ void wait(const G&);

}  // namespace cooperative_groups
