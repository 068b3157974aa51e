#: bias_relu_two_dimensions | tasks bias_relu | dims M=45 N=200
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

src = """
#include <torch/extension.h>

__global__ void bias_relu(const float* x, const float* bias, float* y, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    float v = x[row * cols + col] + bias[col];
    y[row * cols + col] = v > 0.f ? v : 0.f;
  }
}

torch::Tensor bias_relu_forward(torch::Tensor x, torch::Tensor bias) {
  const int rows = x.size(0);
  const int cols = x.size(1);
  auto y = torch::empty({rows, cols}, x.options());
  dim3 threads(32, 8);
  dim3 blocks((cols + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
  bias_relu<<<blocks, threads>>>(x.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), rows, cols);
  return y;
}
"""
fused = load_inline(name="bias_relu", cpp_sources="torch::Tensor bias_relu_forward(torch::Tensor x, torch::Tensor bias);",
                    cuda_sources=src, functions=["bias_relu_forward"])


class ModelNew(nn.Module):
    def forward(self, x, b):
        return fused.bias_relu_forward(x, b)
#: bias_add_row_per_block | tasks bias_add | dtypes f32 f16 | dims M=30 N=517
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_sources = """
#include <torch/extension.h>

template <typename T>
__global__ void add_bias(const T* __restrict__ x, const T* __restrict__ bias, T* __restrict__ out, int columns) {
  const T* row = x + static_cast<size_t>(blockIdx.x) * columns;
  T* to = out + static_cast<size_t>(blockIdx.x) * columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = row[c] + bias[c];
}

torch::Tensor add_bias_cuda(torch::Tensor x, torch::Tensor bias) {
  TORCH_CHECK(x.dim() == 2 && bias.dim() == 1, "a matrix and a vector");
  TORCH_CHECK(x.size(1) == bias.size(0), "sizes differ");
  auto out = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "add_bias", ([&] {
    add_bias<scalar_t><<<x.size(0), 256>>>(x.data_ptr<scalar_t>(), bias.data_ptr<scalar_t>(),
                                           out.data_ptr<scalar_t>(), x.size(1));
  }));
  return out;
}
"""
cpp_sources = """
torch::Tensor add_bias_cuda(torch::Tensor x, torch::Tensor bias);
"""

module = load_inline(name="add_bias", cpp_sources=[cpp_sources], cuda_sources=[cuda_sources],
                     functions=["add_bias_cuda"], with_cuda=True)


class ModelNew(nn.Module):
    def forward(self, x, b):
        return module.add_bias_cuda(x.contiguous(), b.contiguous())
#: outer_shared_vectors | tasks outer | dims M=100 N=130
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

TILE = 16
source = f"""
#include <torch/extension.h>
#define TILE {TILE}
""" + """
__global__ void outer(const float* a, const float* b, float* out, int m, int n) {
  __shared__ float left[TILE], right[TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (threadIdx.x == 0) left[threadIdx.y] = row < m ? a[row] : 0.0f;
  if (threadIdx.y == 0) right[threadIdx.x] = col < n ? b[col] : 0.0f;
  __syncthreads();
  if (row < m && col < n) out[row * n + col] = left[threadIdx.y] * right[threadIdx.x];
}

torch::Tensor outer_product(torch::Tensor a, torch::Tensor b) {
  const int m = a.numel(), n = b.numel();
  torch::Tensor out = torch::empty({m, n}, a.options());
  const dim3 block(TILE, TILE);
  const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  outer<<<grid, block>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), m, n);
  return out;
}
"""

op = load_inline(name="outer_product", cpp_sources="torch::Tensor outer_product(torch::Tensor a, torch::Tensor b);",
                 cuda_sources=source, functions=["outer_product"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return op.outer_product(x, y)
#: affine_relu_float4 | tasks affine_relu | dims M=24 N=512
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>

namespace {

__global__ void affine_relu_vec(const float4* __restrict__ x, const float4* __restrict__ w,
                                const float4* __restrict__ b, float4* __restrict__ y, int quads, int quads_per_row) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    const int c = i % quads_per_row;
    const float4 v = x[i], s = w[c], t = b[c];
    y[i] = make_float4(fmaxf(fmaf(v.x, s.x, t.x), 0.f), fmaxf(fmaf(v.y, s.y, t.y), 0.f),
                       fmaxf(fmaf(v.z, s.z, t.z), 0.f), fmaxf(fmaf(v.w, s.w, t.w), 0.f));
  }
}

__global__ void affine_relu_scalar(const float* x, const float* w, const float* b, float* y, int n, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(fmaf(x[i], w[i % columns], b[i % columns]), 0.f);
}

}  // namespace

torch::Tensor affine_relu(torch::Tensor x, torch::Tensor w, torch::Tensor b) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), columns = x.size(1);
  const auto stream = c10::cuda::getCurrentCUDAStream();
  if (columns % 4 == 0) {
    const int quads = n / 4;
    affine_relu_vec<<<std::min((quads + 255) / 256, 1024), 256, 0, stream>>>(
        reinterpret_cast<const float4*>(x.data_ptr<float>()), reinterpret_cast<const float4*>(w.data_ptr<float>()),
        reinterpret_cast<const float4*>(b.data_ptr<float>()), reinterpret_cast<float4*>(y.data_ptr<float>()), quads,
        columns / 4);
  } else {
    affine_relu_scalar<<<(n + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), w.data_ptr<float>(),
                                                            b.data_ptr<float>(), y.data_ptr<float>(), n, columns);
  }
  return y;
}
"""
cpp = "torch::Tensor affine_relu(torch::Tensor x, torch::Tensor w, torch::Tensor b);"
native = load_inline(name="affine_relu", cpp_sources=cpp, cuda_sources=source, functions=["affine_relu"])


class ModelNew(nn.Module):
    def forward(self, x, w, b):
        return native.affine_relu(x, w, b)
#: row_scale_accessor | tasks row_scale | dims M=70 N=90
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = """
#include <torch/extension.h>

template <typename scalar_t>
__global__ void row_scale_kernel(
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> s,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> out) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < x.size(1)) {
    out[row][col] = x[row][col] * s[row][0];
  }
}

torch::Tensor row_scale(torch::Tensor x, torch::Tensor s) {
  auto out = torch::zeros_like(x);
  const int threads = 64;
  const dim3 blocks((x.size(1) + threads - 1) / threads, x.size(0));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_scale", ([&] {
    row_scale_kernel<scalar_t><<<blocks, threads>>>(
        x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        s.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        out.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
  }));
  return out;
}
"""

row_scale = load_inline(name="row_scale", cpp_sources="torch::Tensor row_scale(torch::Tensor x, torch::Tensor s);",
                        cuda_sources=cuda_src, functions=["row_scale"])


class ModelNew(nn.Module):
    def forward(self, x, s):
        return row_scale.row_scale(x, s)
#: swiglu_two_kernels | tasks swiglu | dims M=32 N=333
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = """
#include <torch/extension.h>
#include <math.h>

__global__ void silu_kernel(const float* x, float* gate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) gate[i] = x[i] / (1.0f + expf(-x[i]));
}

__global__ void multiply_inplace(float* gate, const float* up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) gate[i] *= up[i];
}

torch::Tensor silu(torch::Tensor x) {
  auto gate = torch::empty_like(x);
  int n = x.numel();
  silu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), gate.data_ptr<float>(), n);
  return gate;
}

torch::Tensor multiply_(torch::Tensor gate, torch::Tensor up) {
  int n = gate.numel();
  multiply_inplace<<<(n + 255) / 256, 256>>>(gate.data_ptr<float>(), up.data_ptr<float>(), n);
  return gate;
}
"""
cpp_src = """
torch::Tensor silu(torch::Tensor x);
torch::Tensor multiply_(torch::Tensor gate, torch::Tensor up);
"""
swiglu = load_inline(name="swiglu", cpp_sources=cpp_src, cuda_sources=cuda_src, functions=["silu", "multiply_"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        gate = swiglu.silu(x)
        return swiglu.multiply_(gate, y)
#: scaled_add_half_scalar | tasks scaled_add | dtypes f16 | dims M=17 N=260
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = """
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void axpy(const __half* x, const __half* y, __half* out, __half alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma(alpha, x[i], y[i]);
}

torch::Tensor axpy_cuda(torch::Tensor x, torch::Tensor y, double alpha) {
  auto out = torch::empty_like(x);
  const int n = x.numel();
  axpy<<<(n + 255) / 256, 256>>>(reinterpret_cast<__half*>(x.data_ptr()), reinterpret_cast<__half*>(y.data_ptr()),
                                 reinterpret_cast<__half*>(out.data_ptr()), __float2half(alpha), n);
  return out;
}
"""
axpy = load_inline(name="axpy", cpp_sources="torch::Tensor axpy_cuda(torch::Tensor x, torch::Tensor y, double alpha);",
                   cuda_sources=cuda_src, functions=["axpy_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return axpy.axpy_cuda(x, y, 0.5)
#: scaled_add_bfloat16_scalar | tasks scaled_add | dtypes bf16 | dims M=19 N=250
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = """
#include <torch/extension.h>

__global__ void axpy(const c10::BFloat16* x, const c10::BFloat16* y, c10::BFloat16* out, c10::BFloat16 alpha,
                     double beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float sum = static_cast<float>(alpha) * static_cast<float>(x[i]) + static_cast<float>(beta) * static_cast<float>(y[i]);
  out[i] = static_cast<c10::BFloat16>(sum);
}

torch::Tensor axpby(torch::Tensor x, torch::Tensor y, double alpha, double beta) {
  auto out = torch::empty_like(x);
  const int n = x.numel();
  axpy<<<(n + 63) / 64, 64>>>(x.data_ptr<at::BFloat16>(), y.data_ptr<at::BFloat16>(), out.data_ptr<at::BFloat16>(),
                              c10::BFloat16(static_cast<float>(alpha)), beta, n);
  return out;
}
"""
ops = load_inline(name="axpby", cuda_sources=cuda_src, functions=["axpby"],
                  cpp_sources="torch::Tensor axpby(torch::Tensor x, torch::Tensor y, double alpha, double beta);")


class ModelNew(nn.Module):
    def forward(self, x, y):
        return ops.axpby(x, y, 0.5, 1.0)
