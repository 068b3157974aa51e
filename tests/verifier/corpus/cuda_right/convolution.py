#: conv1d_direct | tasks conv1d | dims N=3 C=6 O=10 L=90
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void conv1d_kernel(const float* x, const float* w, float* y, int N, int C, int L, int O, int K) {
  const int out_len = L - K + 1;
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N * O * out_len) return;
  const int l = idx % out_len;
  const int o = (idx / out_len) % O;
  const int n = idx / (out_len * O);
  float sum = 0.0f;
  for (int c = 0; c < C; ++c) {
    for (int k = 0; k < K; ++k) {
      sum += x[(n * C + c) * L + l + k] * w[(o * C + c) * K + k];
    }
  }
  y[idx] = sum;
}

torch::Tensor conv1d_cuda(torch::Tensor x, torch::Tensor w) {
  const int N = x.size(0), C = x.size(1), L = x.size(2), O = w.size(0), K = w.size(2);
  auto y = torch::empty({N, O, L - K + 1}, x.options());
  const int total = y.numel();
  conv1d_kernel<<<(total + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), N, C, L, O, K);
  return y;
}
"""
conv = load_inline(name="conv1d", cpp_sources="torch::Tensor conv1d_cuda(torch::Tensor x, torch::Tensor w);",
                   cuda_sources=source, functions=["conv1d_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return conv.conv1d_cuda(x, w)
#: conv1d_shared_window | tasks conv1d | dims N=2 C=8 O=12 L=300
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <int kWidth, int kTaps>
__global__ void conv1d_window(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                              int channels, int length) {
  __shared__ float window[kWidth + kTaps - 1];
  const int out_length = length - kTaps + 1;
  const int first = blockIdx.x * kWidth, o = blockIdx.y, n = blockIdx.z, outs = gridDim.y;
  float sum = 0.f;
  for (int c = 0; c < channels; ++c) {
    for (int i = threadIdx.x; i < kWidth + kTaps - 1; i += kWidth)
      window[i] = first + i < length ? x[(n * channels + c) * length + first + i] : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum = fmaf(window[threadIdx.x + k], w[(o * channels + c) * kTaps + k], sum);
    __syncthreads();
  }
  if (first + threadIdx.x < out_length) y[(n * outs + o) * out_length + first + threadIdx.x] = sum;
}

torch::Tensor conv1d(torch::Tensor x, torch::Tensor w) {
  const int64_t batch = x.size(0), length = x.size(2), outs = w.size(0);
  TORCH_CHECK(w.size(2) == 3, "three taps");
  auto y = torch::empty({batch, outs, length - 2}, x.options());
  const dim3 grid((length - 2 + 63) / 64, outs, batch);
  conv1d_window<64, 3><<<grid, 64>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), x.size(1), length);
  return y;
}
"""
conv = load_inline(name="conv1d_window", cpp_sources="torch::Tensor conv1d(torch::Tensor x, torch::Tensor w);",
                   cuda_sources=source, functions=["conv1d"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return conv.conv1d(x, w)
#: conv2d_padded | tasks conv_2d | dims N=2 C=5 H=14 W=17 K=7
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void conv2d_kernel(const float* __restrict__ input, const float* __restrict__ weight,
                              const float* __restrict__ bias, float* __restrict__ output,
                              int batch, int in_c, int h, int w, int out_c, int k, int pad) {
  int ow = blockIdx.x * blockDim.x + threadIdx.x;
  int oh = blockIdx.y * blockDim.y + threadIdx.y;
  int plane = blockIdx.z;
  if (ow >= w || oh >= h) return;
  int oc = plane % out_c;
  int b = plane / out_c;
  float value = bias[oc];
  for (int ic = 0; ic < in_c; ++ic)
    for (int kh = 0; kh < k; ++kh) {
      int ih = oh + kh - pad;
      if (ih < 0 || ih >= h) continue;
      for (int kw = 0; kw < k; ++kw) {
        int iw = ow + kw - pad;
        if (iw < 0 || iw >= w) continue;
        value += input[((b * in_c + ic) * h + ih) * w + iw] * weight[((oc * in_c + ic) * k + kh) * k + kw];
      }
    }
  output[((b * out_c + oc) * h + oh) * w + ow] = value;
}

torch::Tensor conv2d_cuda(torch::Tensor input, torch::Tensor weight, torch::Tensor bias, int padding) {
  int batch = input.size(0), in_c = input.size(1), h = input.size(2), w = input.size(3);
  int out_c = weight.size(0), k = weight.size(2);
  auto output = torch::zeros({batch, out_c, h, w}, input.options());
  dim3 threads(16, 16);
  dim3 blocks((w + 15) / 16, (h + 15) / 16, batch * out_c);
  conv2d_kernel<<<blocks, threads>>>(input.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                     output.data_ptr<float>(), batch, in_c, h, w, out_c, k, padding);
  return output;
}
"""
cpp = "torch::Tensor conv2d_cuda(torch::Tensor input, torch::Tensor weight, torch::Tensor bias, int padding);"
conv2d = load_inline(name="conv2d", cpp_sources=cpp, cuda_sources=source, functions=["conv2d_cuda"])


class ModelNew(nn.Module):
    def __init__(self, padding=1):
        super().__init__()
        self.padding = padding

    def forward(self, x, w, b):
        return conv2d.conv2d_cuda(x, w, b, self.padding)
#: conv2d_depthwise_halo | tasks conv_depthwise | dims N=2 C=6 H=20 W=23
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#define BX 16
#define BY 8

__global__ void depthwise3x3(const float* x, const float* w, float* y, int C, int H, int W) {
  __shared__ float tile[BY + 2][BX + 2];
  __shared__ float taps[9];
  const int plane = blockIdx.z;
  const int x0 = blockIdx.x * BX, y0 = blockIdx.y * BY;
  const int tid = threadIdx.y * BX + threadIdx.x;
  if (tid < 9) taps[tid] = w[(plane % C) * 9 + tid];
  for (int i = tid; i < (BY + 2) * (BX + 2); i += BX * BY) {
    const int ty = i / (BX + 2), tx = i % (BX + 2);
    const int gy = y0 + ty - 1, gx = x0 + tx - 1;
    tile[ty][tx] = gy >= 0 && gy < H && gx >= 0 && gx < W ? x[(plane * H + gy) * W + gx] : 0.f;
  }
  __syncthreads();
  const int oy = y0 + threadIdx.y, ox = x0 + threadIdx.x;
  if (oy < H && ox < W) {
    float sum = 0.f;
#pragma unroll
    for (int dy = 0; dy < 3; ++dy)
#pragma unroll
      for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx] * taps[dy * 3 + dx];
    y[(plane * H + oy) * W + ox] = sum;
  }
}

torch::Tensor depthwise(torch::Tensor x, torch::Tensor w) {
  const int N = x.size(0), C = x.size(1), H = x.size(2), W = x.size(3);
  auto y = torch::empty_like(x);
  depthwise3x3<<<dim3((W + BX - 1) / BX, (H + BY - 1) / BY, N * C), dim3(BX, BY)>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), C, H, W);
  return y;
}
"""
ops = load_inline(name="depthwise", cpp_sources="torch::Tensor depthwise(torch::Tensor x, torch::Tensor w);",
                  cuda_sources=source, functions=["depthwise"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return ops.depthwise(x, w)
#: max_pool2d_windows | tasks max_pool_2d | dims N=2 C=5 H=19 W=22
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cfloat>

__global__ void max_pool2d_kernel(const float* x, float* y, int planes, int h, int w, int oh, int ow,
                                  int kernel, int stride, int padding) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < planes * oh * ow; i += blockDim.x * gridDim.x) {
    const int px = i % ow, py = i / ow % oh, plane = i / (ow * oh);
    const int top = max(py * stride - padding, 0), bottom = min(py * stride - padding + kernel, h);
    const int left = max(px * stride - padding, 0), right = min(px * stride - padding + kernel, w);
    float best = -FLT_MAX;
    for (int r = top; r < bottom; ++r)
      for (int c = left; c < right; ++c) best = max(best, x[(plane * h + r) * w + c]);
    y[i] = best;
  }
}

torch::Tensor max_pool2d(torch::Tensor x, int64_t kernel, int64_t stride, int64_t padding) {
  const int64_t h = x.size(2), w = x.size(3);
  const int64_t oh = (h + 2 * padding - kernel) / stride + 1, ow = (w + 2 * padding - kernel) / stride + 1;
  auto y = torch::empty({x.size(0), x.size(1), oh, ow}, x.options());
  const int total = y.numel();
  max_pool2d_kernel<<<std::min((total + 127) / 128, 4096), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                  x.size(0) * x.size(1), h, w, oh, ow, kernel, stride, padding);
  return y;
}
"""
cpp = "torch::Tensor max_pool2d(torch::Tensor x, int64_t kernel, int64_t stride, int64_t padding);"
pool = load_inline(name="max_pool2d", cpp_sources=cpp, cuda_sources=source, functions=["max_pool2d"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel_size, self.stride, self.padding = 3, 2, 1

    def forward(self, x):
        return pool.max_pool2d(x, self.kernel_size, self.stride, self.padding)
#: avg_pool1d_pairs | tasks avg_pool | dims N=4 C=9 L=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__constant__ float kWeights[2] = {0.5f, 0.5f};

__global__ void avg_pool_pairs(const float* x, float* y, int rows, int length) {
  const int half = length / 2;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (i < half && row < rows) {
    const float* pair = x + row * length + 2 * i;
    y[row * half + i] = pair[0] * kWeights[0] + pair[1] * kWeights[1];
  }
}

torch::Tensor avg_pool(torch::Tensor x) {
  const int rows = x.size(0) * x.size(1), length = x.size(2);
  auto y = torch::empty({x.size(0), x.size(1), length / 2}, x.options());
  avg_pool_pairs<<<dim3((length / 2 + 31) / 32, rows), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, length);
  return y;
}
"""
pool = load_inline(name="avg_pool", cpp_sources="torch::Tensor avg_pool(torch::Tensor x);", cuda_sources=source,
                   functions=["avg_pool"])


class ModelNew(nn.Module):
    def forward(self, x):
        return pool.avg_pool(x)
#: global_average_pool | tasks global_pool | dims N=3 C=11 H=13 W=9
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void global_average(const float* __restrict__ x, float* __restrict__ y, int area) {
  float sum = 0.f;
  const float* plane = x + blockIdx.x * area;
  for (int i = threadIdx.x; i < area; i += blockDim.x) sum += plane[i];
  __shared__ float parts[4];
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, k);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = (parts[0] + parts[1] + parts[2] + parts[3]) / area;
}

at::Tensor global_average_pool(at::Tensor x) {
  auto y = at::empty({x.size(0), x.size(1)}, x.options());
  const int area = x.size(-1) * x.size(-2);
  global_average<<<x.size(0) * x.size(1), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), area);
  return y;
}
"""
pool = load_inline(name="global_average_pool", cpp_sources="at::Tensor global_average_pool(at::Tensor x);",
                   cuda_sources=source, functions=["global_average_pool"])


class ModelNew(nn.Module):
    def forward(self, x):
        return pool.global_average_pool(x)
