#: softmax_three_passes | tasks softmax | dims M=40 N=500
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_runtime.h>
#include <math.h>

__global__ void softmax_kernel(const float* input, float* output, int cols) {
    extern __shared__ float shared[];
    int tid = threadIdx.x;
    const float* row_in = input + blockIdx.x * cols;
    float* row_out = output + blockIdx.x * cols;

    float max_val = -INFINITY;
    for (int i = tid; i < cols; i += blockDim.x) max_val = fmaxf(max_val, row_in[i]);
    shared[tid] = max_val;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) shared[tid] = fmaxf(shared[tid], shared[tid + stride]);
        __syncthreads();
    }
    max_val = shared[0];
    __syncthreads();

    float sum = 0.0f;
    for (int i = tid; i < cols; i += blockDim.x) sum += expf(row_in[i] - max_val);
    shared[tid] = sum;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) shared[tid] += shared[tid + stride];
        __syncthreads();
    }
    sum = shared[0];

    for (int i = tid; i < cols; i += blockDim.x) row_out[i] = expf(row_in[i] - max_val) / sum;
}

torch::Tensor softmax_cuda(torch::Tensor input) {
    auto output = torch::empty_like(input);
    int rows = input.size(0);
    int cols = input.size(1);
    int threads = 256;
    softmax_kernel<<<rows, threads, threads * sizeof(float)>>>(
        input.data_ptr<float>(), output.data_ptr<float>(), cols);
    return output;
}
"""
softmax = load_inline(name="softmax", cpp_sources="torch::Tensor softmax_cuda(torch::Tensor input);",
                      cuda_sources=source, functions=["softmax_cuda"], verbose=True)


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.softmax = softmax

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.softmax.softmax_cuda(x)
#: softmax_online_warp | tasks softmax | dims M=65 N=200
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

struct MaxSum {
  float m, d;
};

__device__ __forceinline__ MaxSum merge(MaxSum a, MaxSum b) {
  const MaxSum bigger = a.m > b.m ? a : b;
  const MaxSum smaller = a.m > b.m ? b : a;
  return {bigger.m, bigger.d + smaller.d * __expf(smaller.m - bigger.m)};
}

__global__ void online_softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int n) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + row * n;
  MaxSum mine{-1e30f, 0.f};
  for (int i = threadIdx.x; i < n; i += 32) mine = merge(mine, MaxSum{in[i], 1.f});
  for (int k = 1; k < 32; k <<= 1) {
    MaxSum other;
    other.m = __shfl_xor_sync(0xffffffff, mine.m, k);
    other.d = __shfl_xor_sync(0xffffffff, mine.d, k);
    mine = merge(mine, other);
  }
  for (int i = threadIdx.x; i < n; i += 32) y[row * n + i] = __expf(in[i] - mine.m) / mine.d;
}

torch::Tensor softmax(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int rows = x.size(0), n = x.size(1);
  online_softmax<<<(rows + 3) / 4, dim3(32, 4)>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, n);
  return y;
}
"""
ops = load_inline(name="online_softmax", cpp_sources="torch::Tensor softmax(torch::Tensor x);", cuda_sources=source,
                  functions=["softmax"], extra_cuda_cflags=["-O3", "-lineinfo"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.softmax(x)
#: log_softmax_block | tasks log_softmax | dims M=30 N=450
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

namespace logsoftmax {

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
  static constexpr float identity = -3.402823466e+38f;
};
struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
  static constexpr float identity = 0.f;
};

template <class Op>
__device__ float reduce(float v, float* room) {
  const Op op;
  for (int k = 16; k; k /= 2) v = op(v, __shfl_xor_sync(~0u, v, k));
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? room[threadIdx.x % 32] : Op::identity;
  for (int k = 16; k; k /= 2) v = op(v, __shfl_xor_sync(~0u, v, k));
  __syncthreads();
  return v;
}

__global__ void forward(const float* x, float* y, int n) {
  __shared__ float room[32];
  x += (size_t)blockIdx.x * n;
  y += (size_t)blockIdx.x * n;
  float most = Max::identity;
  for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, x[i]);
  most = reduce<Max>(most, room);
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += expf(x[i] - most);
  const float shift = most + logf(reduce<Add>(sum, room));
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] - shift;
}

}  // namespace logsoftmax

torch::Tensor log_softmax(torch::Tensor x) {
  auto y = torch::empty_like(x);
  logsoftmax::forward<<<x.size(0), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}
"""
ops = load_inline(name="log_softmax", cpp_sources="torch::Tensor log_softmax(torch::Tensor x);", cuda_sources=source,
                  functions=["log_softmax"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.log_softmax(x)
#: log_softmax_statistics_first | tasks log_softmax | dims M=44 N=260
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cpp_source = """
torch::Tensor row_statistics(torch::Tensor x);
torch::Tensor apply_statistics(torch::Tensor x, torch::Tensor statistics);
"""
cuda_source = """
#include <torch/extension.h>

__global__ void statistics_kernel(const float* x, float* statistics, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float m = x[row * cols];
    for (int c = 1; c < cols; ++c) m = fmaxf(m, x[row * cols + c]);
    float s = 0.f;
    for (int c = 0; c < cols; ++c) s += expf(x[row * cols + c] - m);
    statistics[row] = m + logf(s);
  }
}

__global__ void apply_kernel(const float* x, const float* statistics, float* y, int n, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] - statistics[i / cols];
}

torch::Tensor row_statistics(torch::Tensor x) {
  auto statistics = torch::empty({x.size(0)}, x.options());
  int rows = x.size(0), cols = x.size(1);
  statistics_kernel<<<(rows + 31) / 32, 32>>>(x.data_ptr<float>(), statistics.data_ptr<float>(), rows, cols);
  return statistics;
}

torch::Tensor apply_statistics(torch::Tensor x, torch::Tensor statistics) {
  auto y = torch::empty_like(x);
  int n = x.numel(), cols = x.size(1);
  apply_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), statistics.data_ptr<float>(), y.data_ptr<float>(), n, cols);
  return y;
}
"""
module = load_inline(name="two_step_log_softmax", cpp_sources=cpp_source, cuda_sources=cuda_source,
                     functions=["row_statistics", "apply_statistics"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.apply_statistics(x, module.row_statistics(x))
#: logsumexp_groups | tasks logsumexp | dims M=100 N=120
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <int kTile>
__global__ void logsumexp_kernel(const float* x, float* y, int rows, int columns) {
  auto tile = cg::tiled_partition<kTile>(cg::this_thread_block());
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / kTile;
  if (row >= rows) return;
  float largest = -INFINITY;
  for (int c = tile.thread_rank(); c < columns; c += kTile) largest = fmaxf(largest, x[row * columns + c]);
  largest = cg::reduce(tile, largest, cg::greater<float>());
  float sum = 0.f;
  for (int c = tile.thread_rank(); c < columns; c += kTile) sum += expf(x[row * columns + c] - largest);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) y[row] = logf(sum) + largest;
}

torch::Tensor logsumexp(torch::Tensor x) {
  constexpr int kTile = 16, kThreads = 128;
  const int rows = x.size(0);
  auto y = torch::empty({rows}, x.options());
  logsumexp_kernel<kTile><<<(rows * kTile + kThreads - 1) / kThreads, kThreads>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), rows, static_cast<int>(x.size(1)));
  return y;
}
"""
ops = load_inline(name="logsumexp_tiles", cpp_sources="torch::Tensor logsumexp(torch::Tensor x);",
                  cuda_sources=source, functions=["logsumexp"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.logsumexp(x)
#: softmax_row_in_shared_memory | tasks softmax | dims M=6 N=15000
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__device__ float block_reduce(float v, float* room, bool maximum) {
  for (int k = 16; k > 0; k >>= 1) {
    const float other = __shfl_xor_sync(0xffffffff, v, k);
    v = maximum ? fmaxf(v, other) : v + other;
  }
  if ((threadIdx.x & 31) == 0) room[threadIdx.x >> 5] = v;
  __syncthreads();
  v = room[threadIdx.x & 31];
  for (int k = 16; k > 0; k >>= 1) {
    const float other = __shfl_xor_sync(0xffffffff, v, k);
    v = maximum ? fmaxf(v, other) : v + other;
  }
  __syncthreads();
  return v;
}

// A block of 1024 keeps its row in shared memory: the input is read once.
__global__ void __launch_bounds__(1024) softmax_cached(const float* x, float* y, int n) {
  extern __shared__ float row[];
  __shared__ float room[32];
  const float* in = x + (size_t)blockIdx.x * n;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < n; i += 1024) {
    row[i] = in[i];
    largest = fmaxf(largest, row[i]);
  }
  largest = block_reduce(largest, room, true);
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += 1024) {
    row[i] = expf(row[i] - largest);
    sum += row[i];
  }
  sum = block_reduce(sum, room, false);
  const float scale = 1.f / sum;
  for (int i = threadIdx.x; i < n; i += 1024) y[(size_t)blockIdx.x * n + i] = row[i] * scale;
}

torch::Tensor softmax_large(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.size(1);
  const size_t bytes = n * sizeof(float);
  if (bytes > 48 * 1024) {
    cudaError_t error = cudaFuncSetAttribute(softmax_cached, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error));
  }
  softmax_cached<<<x.size(0), 1024, bytes>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
ops = load_inline(name="softmax_large", cpp_sources="torch::Tensor softmax_large(torch::Tensor x);",
                  cuda_sources=source, functions=["softmax_large"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.softmax_large(x)
