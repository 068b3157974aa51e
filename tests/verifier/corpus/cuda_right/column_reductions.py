#: column_sum_thread_per_column | tasks col_sum | dims M=120 N=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void column_sum(const float* x, float* out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0.f;
  for (int row = 0; row < rows; row++) {
    sum += x[row * cols + col];
  }
  out[col] = sum;
}

torch::Tensor column_sum_cuda(torch::Tensor x) {
  int rows = x.size(0), cols = x.size(1);
  auto out = torch::empty({cols}, torch::dtype(torch::kFloat32).device(torch::kCUDA));
  column_sum<<<(cols + 31) / 32, 32>>>(x.data_ptr<float>(), out.data_ptr<float>(), rows, cols);
  return out;
}
"""
columns = load_inline(name="column_sum", cpp_sources="torch::Tensor column_sum_cuda(torch::Tensor x);",
                      cuda_sources=source, functions=["column_sum_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return columns.column_sum_cuda(x)
#: column_sum_tiles | tasks col_sum | dims M=200 N=100
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#define TX 32
#define TY 8

__global__ void column_sum_tiled(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
  __shared__ float tile[TY][TX + 1];
  const int col = blockIdx.x * TX + threadIdx.x;
  float acc = 0.f;
  if (col < cols)
    for (int row = threadIdx.y; row < rows; row += TY) acc += x[(size_t)row * cols + col];
  tile[threadIdx.y][threadIdx.x] = acc;
  __syncthreads();
  if (threadIdx.y == 0 && col < cols) {
    float sum = 0.f;
    #pragma unroll
    for (int k = 0; k < TY; ++k) sum += tile[k][threadIdx.x];
    out[col] = sum;
  }
}

torch::Tensor forward(torch::Tensor x) {
  const int rows = x.size(0), cols = x.size(1);
  auto out = torch::empty({cols}, x.options());
  column_sum_tiled<<<(cols + TX - 1) / TX, dim3(TX, TY)>>>(x.data_ptr<float>(), out.data_ptr<float>(), rows, cols);
  return out;
}
"""
module = load_inline(name="column_sum_tiled", cpp_sources="torch::Tensor forward(torch::Tensor x);",
                     cuda_sources=source, functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.forward(x)
#: column_sum_atomic_chunks | tasks col_sum | dims M=150 N=90
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

ROWS_PER_BLOCK = 16

source = """
#include <torch/extension.h>

__global__ void column_sum_chunk(const float* x, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int first = blockIdx.y * ROWS_PER_BLOCK;
  int last = min(first + ROWS_PER_BLOCK, rows);
  if (col < cols) {
    float sum = 0.0f;
    for (int row = first; row < last; ++row) sum += x[row * cols + col];
    atomicAdd(out + col, sum);
  }
}

void column_sum(torch::Tensor x, torch::Tensor out) {
  int rows = x.size(0), cols = x.size(1);
  dim3 grid((cols + 63) / 64, (rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK);
  column_sum_chunk<<<grid, 64>>>(x.data_ptr<float>(), out.data_ptr<float>(), rows, cols);
}
""".replace("ROWS_PER_BLOCK", str(ROWS_PER_BLOCK))

module = load_inline(name="column_sum_chunks", cpp_sources="void column_sum(torch::Tensor x, torch::Tensor out);",
                     cuda_sources=source, functions=["column_sum"])


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.zeros(x.shape[1], device=x.device, dtype=x.dtype)
        module.column_sum(x, out)
        return out
#: column_mean_split | tasks col_mean | dims M=300 N=48
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <vector>

__global__ void partial_sums(const float* x, float* partial, int rows, int cols, int chunk) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  const int begin = blockIdx.y * chunk, end = min(rows, begin + chunk);
  float sum = 0;
  for (int r = begin; r < end; ++r) sum += x[r * cols + col];
  partial[blockIdx.y * cols + col] = sum;
}

__global__ void finish(const float* partial, float* mean, int chunks, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (int k = 0; k < chunks; ++k) sum += partial[k * cols + col];
  mean[col] = sum / static_cast<float>(rows);
}

std::vector<torch::Tensor> column_mean(torch::Tensor x) {
  const int rows = x.size(0), cols = x.size(1), chunk = 32, chunks = (rows + chunk - 1) / chunk;
  auto partial = torch::empty({chunks, cols}, x.options());
  auto mean = x.new_empty({cols});
  const dim3 block(128), grid((cols + block.x - 1) / block.x, chunks);
  partial_sums<<<grid, block>>>(x.data_ptr<float>(), partial.data_ptr<float>(), rows, cols, chunk);
  finish<<<grid.x, block>>>(partial.data_ptr<float>(), mean.data_ptr<float>(), chunks, rows, cols);
  return {mean, partial};
}
"""
module = load_inline(name="column_mean", cpp_sources="std::vector<torch::Tensor> column_mean(torch::Tensor x);",
                     cuda_sources=source, functions=["column_mean"])


class ModelNew(nn.Module):
    def forward(self, x):
        mean, _ = module.column_mean(x)
        return mean
#: column_max_ordered_integers | tasks col_max | dims M=220 N=64
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <climits>

// Floats as integers of the same order, so that atomicMax can compare them.
__device__ __forceinline__ int ordered(float v) {
  const int bits = __float_as_int(v);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ __forceinline__ float unordered(int bits) {
  return __int_as_float(bits >= 0 ? bits : bits ^ 0x7fffffff);
}

__global__ void start(int* best, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cols) best[c] = INT_MIN;
}

__global__ void column_max(const float* x, int* best, int n, int cols) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicMax(best + i % cols, ordered(x[i]));
}

__global__ void decode(const int* best, float* out, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cols) out[c] = unordered(best[c]);
}

torch::Tensor column_max_cuda(torch::Tensor x) {
  const int n = x.numel(), cols = x.size(1), blocks = (cols + 127) / 128;
  auto best = torch::empty({cols}, x.options().dtype(torch::kInt));
  auto out = torch::empty({cols}, x.options());
  start<<<blocks, 128>>>(best.data_ptr<int>(), cols);
  column_max<<<std::max(1, std::min(n / 512, 264)), 128>>>(x.data_ptr<float>(), best.data_ptr<int>(), n, cols);
  decode<<<blocks, 128>>>(best.data_ptr<int>(), out.data_ptr<float>(), cols);
  return out;
}
"""
module = load_inline(name="column_max", cpp_sources="torch::Tensor column_max_cuda(torch::Tensor x);",
                     cuda_sources=source, functions=["column_max_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.column_max_cuda(x)
#: middle_sum_strides | tasks mid_sum | dims B=5 M=40 N=50
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void sum_middle(const float* x, float* y, long outer, long middle, long inner, long so, long sm, long si) {
  const long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= outer * inner) return;
  const float* from = x + at / inner * so + at % inner * si;
  double sum = 0;
  for (long m = 0; m < middle; ++m) sum += from[m * sm];
  y[at] = (float)sum;
}

torch::Tensor sum_middle_cuda(const torch::Tensor& x) {
  const long outer = x.size(0), middle = x.size(1), inner = x.size(2);
  auto y = torch::empty({outer, inner}, x.options());
  const long n = outer * inner;
  sum_middle<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), outer, middle, inner, x.stride(0),
                                       x.stride(1), x.stride(2));
  return y;
}
"""
module = load_inline(name="sum_middle", cpp_sources="torch::Tensor sum_middle_cuda(const torch::Tensor& x);",
                     cuda_sources=source, functions=["sum_middle_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.sum_middle_cuda(x)
