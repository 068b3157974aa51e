#: layer_norm_welford | tasks layer_norm | dims M=35 N=600
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

struct Welford {
  float mean = 0.f, m2 = 0.f, count = 0.f;

  __device__ void add(float v) {
    count += 1.f;
    const float delta = v - mean;
    mean += delta / count;
    m2 += delta * (v - mean);
  }
  __device__ void merge(float other_mean, float other_m2, float other_count) {
    if (other_count == 0.f) return;
    const float all = count + other_count, delta = other_mean - mean;
    mean += delta * other_count / all;
    m2 += other_m2 + delta * delta * count * other_count / all;
    count = all;
  }
};

__device__ void merge_warp(Welford& mine) {
  for (int k = 16; k > 0; k >>= 1) {
    const float mean = __shfl_down_sync(0xffffffff, mine.mean, k);
    const float m2 = __shfl_down_sync(0xffffffff, mine.m2, k);
    const float count = __shfl_down_sync(0xffffffff, mine.count, k);
    mine.merge(mean, m2, count);
  }
}

__global__ void layer_norm_kernel(const float* x, const float* gamma, const float* beta, float* y, int n, float eps) {
  __shared__ float means[32], m2s[32], counts[32];
  __shared__ float mean, rstd;
  const float* row = x + (size_t)blockIdx.x * n;
  Welford mine;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine.add(row[i]);
  merge_warp(mine);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) {
    means[warp] = mine.mean;
    m2s[warp] = mine.m2;
    counts[warp] = mine.count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w) mine.merge(means[w], m2s[w], counts[w]);
    mean = mine.mean;
    rstd = rsqrtf(mine.m2 / n + eps);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[(size_t)blockIdx.x * n + i] = (row[i] - mean) * rstd * gamma[i] + beta[i];
}

torch::Tensor layer_norm(torch::Tensor x, torch::Tensor gamma, torch::Tensor beta, double eps) {
  auto y = torch::empty_like(x);
  layer_norm_kernel<<<x.size(0), 128>>>(x.data_ptr<float>(), gamma.data_ptr<float>(), beta.data_ptr<float>(),
                                        y.data_ptr<float>(), x.size(1), (float)eps);
  return y;
}
"""
cpp = "torch::Tensor layer_norm(torch::Tensor x, torch::Tensor gamma, torch::Tensor beta, double eps);"
norms = load_inline(name="layer_norm_welford", cpp_sources=cpp, cuda_sources=source, functions=["layer_norm"])


class ModelNew(nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x, w, b):
        return norms.layer_norm(x, w, b, self.eps)
#: layer_norm_sum_and_squares | tasks layer_norm | dims M=48 N=384
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <int THREADS>
__global__ void layernorm(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                          float* __restrict__ y, int N, float eps)
{
    __shared__ float2 s[THREADS];
    const int t = threadIdx.x;
    float2 acc = make_float2(0.f, 0.f);
    for (int i = t; i < N; i += THREADS) {
        const float v = x[blockIdx.x * N + i];
        acc.x += v;
        acc.y += v * v;
    }
    s[t] = acc;
    __syncthreads();
    for (int h = THREADS / 2; h > 0; h /= 2) {
        if (t < h) {
            s[t].x += s[t + h].x;
            s[t].y += s[t + h].y;
        }
        __syncthreads();
    }
    const float mu = s[0].x / N;
    const float var = fmaxf(s[0].y / N - mu * mu, 0.f);
    const float inv = rsqrtf(var + eps);
    for (int i = t; i < N; i += THREADS) {
        const int k = blockIdx.x * N + i;
        y[k] = (x[k] - mu) * inv * w[i] + b[i];
    }
}

at::Tensor layernorm_forward(at::Tensor x, at::Tensor w, at::Tensor b)
{
    TORCH_CHECK(x.is_contiguous());
    auto y = at::empty_like(x);
    layernorm<256><<<x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), w.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), x.size(1), 1e-5f);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""
ln = load_inline("layernorm", ["at::Tensor layernorm_forward(at::Tensor x, at::Tensor w, at::Tensor b);"], [source],
                 functions=["layernorm_forward"])


class ModelNew(nn.Module):
    def forward(self, x, w, b):
        return ln.layernorm_forward(x, w, b)
#: rms_norm_warp_dispatch | tasks rms_norm | dtypes f32 f16 bf16 | dims M=51 N=222
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename T>
__global__ void rms_norm_kernel(const T* x, const T* weight, T* y, int rows, int n, float eps) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += warpSize) {
    const float v = static_cast<float>(x[row * n + i]);
    sum += v * v;
  }
  for (int k = warpSize / 2; k > 0; k /= 2) sum += __shfl_xor_sync(0xffffffff, sum, k);
  const float scale = rsqrtf(sum / n + eps);
  for (int i = threadIdx.x; i < n; i += warpSize)
    y[row * n + i] = static_cast<T>(static_cast<float>(x[row * n + i]) * scale * static_cast<float>(weight[i]));
}

torch::Tensor rms_norm(torch::Tensor x, torch::Tensor weight, float eps) {
  auto y = torch::empty_like(x);
  const int rows = x.size(0), n = x.size(1);
  const dim3 block(32, 8);
  const int grid = (rows + block.y - 1) / block.y;
  switch (x.scalar_type()) {
    case torch::kFloat32:
      rms_norm_kernel<float><<<grid, block>>>(x.data_ptr<float>(), weight.data_ptr<float>(), y.data_ptr<float>(),
                                              rows, n, eps);
      break;
    case torch::kFloat16:
      rms_norm_kernel<c10::Half><<<grid, block>>>(x.data_ptr<c10::Half>(), weight.data_ptr<c10::Half>(),
                                                  y.data_ptr<c10::Half>(), rows, n, eps);
      break;
    case torch::kBFloat16:
      rms_norm_kernel<c10::BFloat16><<<grid, block>>>(x.data_ptr<c10::BFloat16>(), weight.data_ptr<c10::BFloat16>(),
                                                      y.data_ptr<c10::BFloat16>(), rows, n, eps);
      break;
    default:
      TORCH_CHECK(false, "rms_norm: this type is not supported");
  }
  return y;
}
"""
cpp = "torch::Tensor rms_norm(torch::Tensor x, torch::Tensor weight, float eps);"
ops = load_inline(name="rms_norm", cpp_sources=cpp, cuda_sources=source, functions=["rms_norm"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return ops.rms_norm(x, w, 1e-5)
#: normalize_inverse_norm_first | tasks normalize | dims M=64 N=150
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void inverse_norms(const float* x, float* inverse, int columns) {
  float sum = 0.f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    const float v = x[blockIdx.x * columns + c];
    sum = fmaf(v, v, sum);
  }
#pragma unroll
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, k);
  if (threadIdx.x == 0) inverse[blockIdx.x] = 1.f / fmaxf(sqrtf(sum), 1e-12f);
}

__global__ void scale_rows(const float* x, const float* inverse, float* y, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < columns) y[blockIdx.y * columns + c] = x[blockIdx.y * columns + c] * inverse[blockIdx.y];
}

torch::Tensor normalize(torch::Tensor x) {
  const unsigned rows = x.size(0), columns = x.size(1);
  auto inverse = torch::empty({x.size(0)}, x.options());
  auto y = torch::empty_like(x);
  inverse_norms<<<rows, 32>>>(x.data_ptr<float>(), inverse.data_ptr<float>(), columns);
  scale_rows<<<dim3((columns + 127) / 128, rows), 128>>>(x.data_ptr<float>(), inverse.data_ptr<float>(),
                                                         y.data_ptr<float>(), columns);
  return y;
}
"""
ops = load_inline(name="l2_normalize", cpp_sources="torch::Tensor normalize(torch::Tensor x);", cuda_sources=source,
                  functions=["normalize"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.normalize(x)
#: batch_norm_channel_per_block | tasks batch_norm | dims N=6 C=10 H=9 W=11
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__inline__ __device__ float block_sum(float v) {
  static __shared__ float shared[32];
  int lane = threadIdx.x % 32;
  int wid = threadIdx.x / 32;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / 32) ? shared[lane] : 0.0f;
  if (wid == 0)
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  __syncthreads();
  return v;
}

__global__ void batch_norm_kernel(const float* x, const float* weight, const float* bias, float* y,
                                  int N, int C, int HW, float eps) {
  __shared__ float mean, inv_std;
  const int c = blockIdx.x;
  const int count = N * HW;

  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += x[(i / HW * C + c) * HW + i % HW];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean = sum / count;
  __syncthreads();

  float sq = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    float d = x[(i / HW * C + c) * HW + i % HW] - mean;
    sq += d * d;
  }
  sq = block_sum(sq);
  if (threadIdx.x == 0) inv_std = rsqrtf(sq / count + eps);
  __syncthreads();

  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    int at = (i / HW * C + c) * HW + i % HW;
    y[at] = (x[at] - mean) * inv_std * weight[c] + bias[c];
  }
}

torch::Tensor batch_norm_cuda(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
  auto y = torch::empty_like(x);
  int N = x.size(0), C = x.size(1), HW = x.size(2) * x.size(3);
  batch_norm_kernel<<<C, 256>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                y.data_ptr<float>(), N, C, HW, 1e-5f);
  return y;
}
"""
cpp = "torch::Tensor batch_norm_cuda(torch::Tensor x, torch::Tensor weight, torch::Tensor bias);"
bn = load_inline(name="batch_norm", cpp_sources=cpp, cuda_sources=source, functions=["batch_norm_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, w, b):
        return bn.batch_norm_cuda(x, w, b)
#: group_norm_statistics | tasks group_norm | dims N=3 H=10 W=12
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void group_statistics(const float* x, float2* statistics, int size, float eps) {
  __shared__ double sums[128], squares[128];
  const float* group = x + (int64_t)blockIdx.x * size;
  double sum = 0, square = 0;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    sum += group[i];
    square += (double)group[i] * group[i];
  }
  sums[threadIdx.x] = sum;
  squares[threadIdx.x] = square;
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (threadIdx.x < k) {
      sums[threadIdx.x] += sums[threadIdx.x + k];
      squares[threadIdx.x] += squares[threadIdx.x + k];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const double mean = sums[0] / size;
    statistics[blockIdx.x] = make_float2((float)mean, (float)(1.0 / sqrt(squares[0] / size - mean * mean + eps)));
  }
}

__global__ void group_apply(const float* x, const float2* statistics, const float* gamma, const float* beta, float* y,
                            int n, int channels, int plane, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int c = i / plane % channels;
  const int g = i / (plane * channels) * groups + c / (channels / groups);
  const float2 s = statistics[g];
  y[i] = (x[i] - s.x) * s.y * gamma[c] + beta[c];
}

torch::Tensor group_norm(torch::Tensor x, int64_t groups, torch::Tensor gamma, torch::Tensor beta) {
  const int batch = x.size(0), channels = x.size(1), plane = x.size(2) * x.size(3), n = x.numel();
  TORCH_CHECK(channels % groups == 0, "channels must be a multiple of groups");
  auto statistics = torch::empty({batch * groups, 2}, x.options());
  auto y = torch::empty_like(x);
  auto* to = reinterpret_cast<float2*>(statistics.data_ptr<float>());
  group_statistics<<<batch * groups, 128>>>(x.data_ptr<float>(), to, channels / groups * plane, 1e-5f);
  group_apply<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), to, gamma.data_ptr<float>(), beta.data_ptr<float>(),
                                        y.data_ptr<float>(), n, channels, plane, groups);
  return y;
}
"""
cpp = "torch::Tensor group_norm(torch::Tensor x, int64_t groups, torch::Tensor gamma, torch::Tensor beta);"
norms = load_inline(name="group_norm", cpp_sources=cpp, cuda_sources=source, functions=["group_norm"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.num_groups = 4

    def forward(self, x, w, b):
        return norms.group_norm(x, self.num_groups, w, b)
