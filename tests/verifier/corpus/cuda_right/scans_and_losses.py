#: cumulative_sum_block_scan | tasks cumsum | dims M=20 N=600
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

#define THREADS 128

// Hillis and Steele's scan of a piece, with what came before carried along.
__global__ void cumsum_rows(const float* x, float* y, int columns) {
  __shared__ float buffer[2][THREADS];
  const int t = threadIdx.x;
  const size_t base = (size_t)blockIdx.x * columns;
  float carry = 0.f;
  for (int start = 0; start < columns; start += THREADS) {
    int in = 0;
    buffer[in][t] = start + t < columns ? x[base + start + t] : 0.f;
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
      buffer[1 - in][t] = buffer[in][t] + (t >= offset ? buffer[in][t - offset] : 0.f);
      in = 1 - in;
      __syncthreads();
    }
    if (start + t < columns) y[base + start + t] = carry + buffer[in][t];
    carry += buffer[in][THREADS - 1];
    __syncthreads();
  }
}

torch::Tensor cumsum(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cumsum_rows<<<x.size(0), THREADS>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}
"""
scan = load_inline(name="cumsum", cpp_sources="torch::Tensor cumsum(torch::Tensor x);", cuda_sources=source,
                   functions=["cumsum"])


class ModelNew(nn.Module):
    def forward(self, x):
        return scan.cumsum(x)
#: cumulative_sum_warp_shuffles | tasks cumsum | dims M=33 N=170
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__device__ __forceinline__ float inclusive_scan(float v, int lane) {
#pragma unroll
  for (int delta = 1; delta < 32; delta <<= 1) {
    const float before = __shfl_up_sync(0xffffffffu, v, delta);
    if (lane >= delta) v += before;
  }
  return v;
}

__global__ void cumsum_warp(const float* x, float* y, int rows, int n) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  float before = 0.f;
  for (int first = 0; first < n; first += 32) {
    const int i = first + lane;
    const float v = inclusive_scan(i < n ? x[row * n + i] : 0.f, lane);
    if (i < n) y[row * n + i] = before + v;
    before += __shfl_sync(0xffffffffu, v, 31);
  }
}

torch::Tensor cumsum(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int rows = x.size(0);
  cumsum_warp<<<(rows + 3) / 4, dim3(32, 4)>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, x.size(1));
  return y;
}
"""
scan = load_inline(name="cumsum_warp", cpp_sources="torch::Tensor cumsum(torch::Tensor x);", cuda_sources=source,
                   functions=["cumsum"])


class ModelNew(nn.Module):
    def forward(self, x):
        return scan.cumsum(x)
#: mean_squared_error_atomic | tasks mse_loss | dims M=40 N=333
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void squared_error(const float* x, const float* y, float* loss, int n) {
  float sum = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float d = x[i] - y[i];
    sum += d * d;
  }
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffff, sum, k);
  if (threadIdx.x % 32 == 0) atomicAdd(loss, sum / n);
}

torch::Tensor mse(torch::Tensor x, torch::Tensor y) {
  auto loss = torch::zeros({}, x.options());
  const int n = x.numel();
  squared_error<<<std::min((n + 255) / 256, 64), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                        loss.data_ptr<float>(), n);
  return loss;
}
"""
losses = load_inline(name="mse", cpp_sources="torch::Tensor mse(torch::Tensor x, torch::Tensor y);",
                     cuda_sources=source, functions=["mse"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return losses.mse(x, y)
#: mean_squared_error_last_block | tasks mse_loss | dims M=60 N=450
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

// The block that is done last adds up what all blocks left.
__global__ void mse_one_launch(const float* x, const float* y, float* parts, unsigned int* done, float* loss, int n) {
  __shared__ float room[256];
  __shared__ bool last;
  float sum = 0.f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    const float d = x[i] - y[i];
    sum += d * d;
  }
  room[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k) room[threadIdx.x] += room[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = room[0];
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (threadIdx.x == 0) {
    float total = 0.f;
    for (int b = 0; b < gridDim.x; ++b) total += ((volatile float*)parts)[b];
    *loss = total / n;
  }
}

torch::Tensor mse(torch::Tensor x, torch::Tensor y) {
  const int n = x.numel(), blocks = std::min((n + 255) / 256, 32);
  auto parts = torch::empty({blocks}, x.options());
  auto done = torch::zeros({1}, x.options().dtype(torch::kInt32));
  auto loss = torch::empty({}, x.options());
  mse_one_launch<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), parts.data_ptr<float>(),
                                  reinterpret_cast<unsigned int*>(done.data_ptr<int>()), loss.data_ptr<float>(), n);
  return loss;
}
"""
losses = load_inline(name="mse_last", cpp_sources="torch::Tensor mse(torch::Tensor x, torch::Tensor y);",
                     cuda_sources=source, functions=["mse"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return losses.mse(x, y)
#: cross_entropy_row_then_mean | tasks cross_entropy | dims B=50 C=90
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cfloat>

__global__ void row_losses(const float* logits, const int64_t* targets, float* losses, int classes) {
  const float* row = logits + blockIdx.x * classes;
  float best = -FLT_MAX;
  for (int c = threadIdx.x; c < classes; c += 32) best = fmaxf(best, row[c]);
  for (int k = 16; k > 0; k >>= 1) best = fmaxf(best, __shfl_xor_sync(0xffffffff, best, k));
  float sum = 0.f;
  for (int c = threadIdx.x; c < classes; c += 32) sum += expf(row[c] - best);
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, k);
  if (threadIdx.x == 0) losses[blockIdx.x] = logf(sum) + best - row[targets[blockIdx.x]];
}

__global__ void mean(const float* losses, float* out, int n) {
  __shared__ float room[64];
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += 64) sum += losses[i];
  room[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 64; ++i) sum += room[i];
    *out = sum / n;
  }
}

torch::Tensor cross_entropy(torch::Tensor logits, torch::Tensor targets) {
  const int rows = logits.size(0);
  auto losses = torch::empty({rows}, logits.options());
  auto out = torch::empty({}, logits.options());
  row_losses<<<rows, 32>>>(logits.data_ptr<float>(), targets.data_ptr<int64_t>(), losses.data_ptr<float>(),
                           logits.size(1));
  mean<<<1, 64>>>(losses.data_ptr<float>(), out.data_ptr<float>(), rows);
  return out;
}
"""
cpp = "torch::Tensor cross_entropy(torch::Tensor logits, torch::Tensor targets);"
losses = load_inline(name="cross_entropy", cpp_sources=cpp, cuda_sources=source, functions=["cross_entropy"])


class ModelNew(nn.Module):
    def forward(self, x, t):
        return losses.cross_entropy(x, t)
#: attention_online_softmax | tasks attention | dims H=4 L=60 D=32
import math

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

#define MAX_HEAD 128

// One warp a query; keys pass by, and sums are rescaled when a larger score comes.
__global__ void attention(const float* q, const float* k, const float* v, float* out, int length, int width, float scale) {
  const int head = blockIdx.y, query = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (query >= length) return;
  const float* mine = q + (head * length + query) * width;
  float acc[MAX_HEAD / 32] = {0.f};
  float largest = -INFINITY, sum = 0.f;
  for (int key = 0; key < length; ++key) {
    const float* other = k + (head * length + key) * width;
    float score = 0.f;
    for (int d = lane; d < width; d += 32) score += mine[d] * other[d];
    for (int o = 16; o > 0; o >>= 1) score += __shfl_xor_sync(0xffffffff, score, o);
    score *= scale;
    const float now = fmaxf(largest, score), shrink = expf(largest - now), weight = expf(score - now);
    sum = sum * shrink + weight;
    for (int j = 0, d = lane; d < width; ++j, d += 32)
      acc[j] = acc[j] * shrink + weight * v[(head * length + key) * width + d];
    largest = now;
  }
  for (int j = 0, d = lane; d < width; ++j, d += 32) out[(head * length + query) * width + d] = acc[j] / sum;
}

torch::Tensor attend(torch::Tensor q, torch::Tensor k, torch::Tensor v, double scale) {
  TORCH_CHECK(q.size(2) <= MAX_HEAD, "heads are at most 128 wide");
  auto out = torch::empty_like(q);
  const int length = q.size(1);
  attention<<<dim3((length + 3) / 4, q.size(0)), dim3(32, 4)>>>(q.data_ptr<float>(), k.data_ptr<float>(),
                                                                v.data_ptr<float>(), out.data_ptr<float>(), length,
                                                                q.size(2), scale);
  return out;
}
"""
cpp = "torch::Tensor attend(torch::Tensor q, torch::Tensor k, torch::Tensor v, double scale);"
ops = load_inline(name="attend", cpp_sources=cpp, cuda_sources=source, functions=["attend"])


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        return ops.attend(q, k, v, 1.0 / math.sqrt(q.shape[-1]))
#: largest_four_by_insertion | tasks largest_four | dims M=40 N=128
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <int K>
__device__ void insert(float (&best)[K], float v) {
#pragma unroll
  for (int i = 0; i < K; ++i) {
    if (v > best[i]) {
      const float other = best[i];
      best[i] = v;
      v = other;
    }
  }
}

// A thread for each row keeps the K largest in registers, in order.
template <int K>
__global__ void top_k(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best[K];
  for (int i = 0; i < K; ++i) best[i] = -INFINITY;
  for (int c = 0; c < columns; ++c) insert<K>(best, x[row * columns + c]);
  for (int i = 0; i < K; ++i) y[row * K + i] = best[i];
}

torch::Tensor top_four(torch::Tensor x) {
  auto y = torch::empty({x.size(0), 4}, x.options());
  top_k<4><<<(x.size(0) + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}
"""
ops = load_inline(name="top_four", cpp_sources="torch::Tensor top_four(torch::Tensor x);", cuda_sources=source,
                  functions=["top_four"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.top_four(x)
#: cumulative_sum_block_scan_of_cub | tasks cumsum | dims M=14 N=500
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cub/cub.cuh>

constexpr int kThreads = 128;

__global__ void scan_rows(const float* x, float* y, int columns) {
  using Scan = cub::BlockScan<float, kThreads>;
  __shared__ typename Scan::TempStorage storage;
  float before = 0.f;
  for (int first = 0; first < columns; first += kThreads) {
    const int c = first + threadIdx.x;
    float value = c < columns ? x[blockIdx.x * columns + c] : 0.f, all;
    Scan(storage).InclusiveSum(value, value, all);
    if (c < columns) y[blockIdx.x * columns + c] = before + value;
    before += all;
    __syncthreads();
  }
}

torch::Tensor scan(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scan_rows<<<x.size(0), kThreads>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}
"""
module = load_inline(name="scan_rows", cpp_sources="torch::Tensor scan(torch::Tensor x);", cuda_sources=source,
                     functions=["scan"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.scan(x)
