#: row_sum_warp_per_row | tasks row_sum | dims M=77 N=300
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>

__inline__ __device__ float warp_reduce_sum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__global__ void row_sum_kernel(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
  const int lane = threadIdx.x & 31;
  const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += x[row * cols + c];
  sum = warp_reduce_sum(sum);
  if (lane == 0) out[row] = sum;
}

torch::Tensor row_sum(torch::Tensor x) {
  const auto rows = x.size(0);
  const auto cols = x.size(1);
  auto out = torch::empty({rows}, x.options());
  constexpr int warps = 4;
  row_sum_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x.data_ptr<float>(), out.data_ptr<float>(), rows, cols);
  return out;
}
"""
mod = load_inline(name="row_sum", cpp_sources="torch::Tensor row_sum(torch::Tensor x);", cuda_sources=cuda_source,
                  functions=["row_sum"])


class ModelNew(nn.Module):
    def forward(self, x):
        return mod.row_sum(x)
#: row_max_shared_tree | tasks row_max | dims M=40 N=700
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cfloat>

constexpr int kThreads = 256;

__global__ void row_max(const float* x, float* out, int columns) {
  __shared__ float best[kThreads];
  const float* row = x + blockIdx.x * columns;
  float largest = -FLT_MAX;
  for (int c = threadIdx.x; c < columns; c += kThreads) largest = fmaxf(largest, row[c]);
  best[threadIdx.x] = largest;
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width >>= 1) {
    if (threadIdx.x < width) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + width]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = best[0];
}

torch::Tensor row_max_cuda(torch::Tensor x) {
  auto out = torch::empty(x.size(0), x.options());
  row_max<<<x.size(0), kThreads>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.size(1));
  return out;
}
"""
reduce_ops = load_inline(name="row_max", cpp_sources="torch::Tensor row_max_cuda(torch::Tensor x);",
                         cuda_sources=source, functions=["row_max_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return reduce_ops.row_max_cuda(x.contiguous())
#: row_mean_cooperative_groups | tasks row_mean | dims M=50 N=400
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void row_mean(const float* x, float* out, int cols) {
  __shared__ float partial[8];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

  const float* row = x + (size_t)blockIdx.x * cols;
  float sum = 0.f;
  for (int i = block.thread_rank(); i < cols; i += block.size()) sum += row[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    float total = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.f;
    total = cg::reduce(warp, total, cg::plus<float>());
    if (warp.thread_rank() == 0) out[blockIdx.x] = total / cols;
  }
}

torch::Tensor row_mean_forward(torch::Tensor x) {
  auto out = torch::empty({x.size(0)}, x.options());
  row_mean<<<x.size(0), 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.size(1));
  return out;
}
"""
ext = load_inline(name="row_mean_cg", cpp_sources="torch::Tensor row_mean_forward(torch::Tensor x);",
                  cuda_sources=source, functions=["row_mean_forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.row_mean_forward(x)
#: vector_norm_block_reduce | tasks vector_norm | dims M=33 N=611
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <typename T>
__device__ __forceinline__ T warpSum(T v) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask);
  return v;
}

template <typename T>
__device__ __forceinline__ T blockSum(T v, T* shared) {
  const int lane = threadIdx.x % 32, wid = threadIdx.x / 32;
  v = warpSum(v);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? shared[lane] : T(0);
  if (wid == 0) v = warpSum(v);
  return v;
}

template <typename T, int kBlock>
__global__ void __launch_bounds__(kBlock) norm_kernel(const T* __restrict__ x, T* __restrict__ y, int n) {
  __shared__ T shared[kBlock / 32];
  const T* row = x + (long)blockIdx.x * n;
  T squares = 0;
  for (int i = threadIdx.x; i < n; i += kBlock) {
    const T v = __ldg(row + i);
    squares += v * v;
  }
  squares = blockSum(squares, shared);
  if (threadIdx.x == 0) y[blockIdx.x] = sqrt(squares);
}

at::Tensor norm(const at::Tensor& x) {
  TORCH_CHECK(x.dim() == 2, "norm: expected a matrix, got ", x.dim(), " dimensions");
  auto y = at::empty({x.size(0)}, x.options());
  auto stream = at::cuda::getCurrentCUDAStream();
  norm_kernel<float, 128><<<x.size(0), 128, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  AT_CUDA_CHECK(cudaGetLastError());
  return y;
}
"""
norm = load_inline("row_norm", "at::Tensor norm(const at::Tensor& x);", source, ["norm"])


class ModelNew(nn.Module):
    def forward(self, x):
        return norm.norm(x)
#: total_atomic | tasks total | dims M=64 N=250
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda = """
#include <torch/extension.h>

__global__ void sum_all(const float* x, float* total, int n) {
  __shared__ float part;
  if (threadIdx.x == 0) part = 0.f;
  __syncthreads();
  float mine = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  atomicAdd(&part, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, part);
}

torch::Tensor total(torch::Tensor x) {
  auto out = torch::zeros({}, x.options());
  const int n = x.numel();
  int blocks = (n + 1023) / 1024;
  sum_all<<<blocks, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}
"""
summing = load_inline(name="total", cpp_sources="torch::Tensor total(torch::Tensor x);", cuda_sources=cuda,
                      functions=["total"])


class ModelNew(nn.Module):
    def forward(self, x):
        return summing.total(x)
#: total_two_passes | tasks total | dims M=90 N=333
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda = """
#include <torch/extension.h>

template <unsigned int blockSize>
__device__ void warpReduce(volatile float* s, unsigned int tid) {
  if (blockSize >= 64) { s[tid] += s[tid + 32]; __syncwarp(); }
  float v = s[tid];
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  if (tid == 0) s[0] = v;
}

template <unsigned int blockSize>
__global__ void reduce(const float* in, float* out, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + tid;
  const unsigned int gridSize = blockSize * 2 * gridDim.x;
  float sum = 0.0f;
  while (i < n) {
    sum += in[i];
    if (i + blockSize < n) sum += in[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = sum;
  __syncthreads();
  if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
  if (tid < 32) warpReduce<blockSize>(sdata, tid);
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

torch::Tensor reduce_sum(torch::Tensor x) {
  constexpr unsigned int threads = 256;
  unsigned int n = x.numel();
  unsigned int blocks = std::min<unsigned int>((n + threads * 2 - 1) / (threads * 2), 64);
  auto partial = torch::empty({(int64_t)blocks}, x.options());
  auto out = torch::empty({}, x.options());
  size_t smem = threads * sizeof(float);
  reduce<threads><<<blocks, threads, smem>>>(x.data_ptr<float>(), partial.data_ptr<float>(), n);
  reduce<threads><<<1, threads, smem>>>(partial.data_ptr<float>(), out.data_ptr<float>(), blocks);
  return out;
}
"""
reduction = load_inline(name="reduce_sum", cpp_sources="torch::Tensor reduce_sum(torch::Tensor x);",
                        cuda_sources=cuda, functions=["reduce_sum"])


class ModelNew(nn.Module):
    def forward(self, x):
        return reduction.reduce_sum(x)
#: argmax_pairs | tasks argmax | dims M=30 N=450
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <limits>

struct Best {
  float value;
  int index;
};

__device__ inline Best better(Best a, Best b) {
  return (b.value > a.value || (b.value == a.value && b.index < a.index)) ? b : a;
}

__device__ inline Best warp_best(Best mine) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    Best other;
    other.value = __shfl_down_sync(0xffffffff, mine.value, offset);
    other.index = __shfl_down_sync(0xffffffff, mine.index, offset);
    mine = better(mine, other);
  }
  return mine;
}

__global__ void argmax_rows(const float* x, int64_t* out, int columns) {
  __shared__ Best found[32];
  Best mine{-std::numeric_limits<float>::max(), columns};
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    mine = better(mine, Best{x[(int64_t)blockIdx.x * columns + c], c});
  mine = warp_best(mine);
  if (threadIdx.x % 32 == 0) found[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    mine = threadIdx.x < blockDim.x / 32 ? found[threadIdx.x] : Best{-std::numeric_limits<float>::max(), columns};
    mine = warp_best(mine);
    if (threadIdx.x == 0) out[blockIdx.x] = mine.index;
  }
}

torch::Tensor argmax(torch::Tensor x) {
  auto out = torch::empty({x.size(0)}, x.options().dtype(torch::kInt64));
  argmax_rows<<<x.size(0), 128>>>(x.data_ptr<float>(), out.data_ptr<int64_t>(), (int)x.size(1));
  return out;
}
"""
selection = load_inline(name="argmax", cpp_sources="torch::Tensor argmax(torch::Tensor x);", cuda_sources=source,
                        functions=["argmax"])


class ModelNew(nn.Module):
    def forward(self, x):
        return selection.argmax(x)
#: row_min_block_reduce_of_cub | tasks row_min | dims M=31 N=333
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cub/cub.cuh>
#include <cfloat>

template <int kThreads>
__global__ void row_min(const float* __restrict__ x, float* __restrict__ y, int columns) {
  using BlockReduce = cub::BlockReduce<float, kThreads>;
  __shared__ typename BlockReduce::TempStorage storage;
  float least = FLT_MAX;
  for (int c = threadIdx.x; c < columns; c += kThreads) least = fminf(least, x[blockIdx.x * columns + c]);
  const float of_all = BlockReduce(storage).Reduce(least, cub::Min());
  if (threadIdx.x == 0) y[blockIdx.x] = of_all;
}

torch::Tensor row_min_cuda(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_min<128><<<x.size(0), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}
"""
module = load_inline(name="row_min", cpp_sources="torch::Tensor row_min_cuda(torch::Tensor x);", cuda_sources=source,
                     functions=["row_min_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.row_min_cuda(x)
#: variance_warp_reduce_of_cub | tasks var | dims M=45 N=190
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cub/warp/warp_reduce.cuh>

// Two passes over a row by one warp; the sample variance divides by n - 1.
__global__ void variance(const float* x, float* y, int rows, int columns) {
  typedef cub::WarpReduce<float> WarpReduce;
  __shared__ typename WarpReduce::TempStorage storage[4];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
  if (row >= rows) return;
  const float* from = x + row * columns;
  float sum = 0.f;
  for (int c = lane; c < columns; c += 32) sum += from[c];
  const float mean = __shfl_sync(0xffffffff, WarpReduce(storage[warp]).Sum(sum), 0) / columns;
  float squares = 0.f;
  for (int c = lane; c < columns; c += 32) squares += (from[c] - mean) * (from[c] - mean);
  __syncwarp();
  squares = WarpReduce(storage[warp]).Sum(squares);
  if (lane == 0) y[row] = squares / (columns - 1);
}

torch::Tensor variance_cuda(torch::Tensor x) {
  const int rows = x.size(0);
  auto y = torch::empty({rows}, x.options());
  variance<<<(rows + 3) / 4, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, x.size(1));
  return y;
}
"""
module = load_inline(name="variance", cpp_sources="torch::Tensor variance_cuda(torch::Tensor x);", cuda_sources=source,
                     functions=["variance_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.variance_cuda(x)
