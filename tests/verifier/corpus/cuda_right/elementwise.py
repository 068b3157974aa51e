#: relu_grid_stride | tasks relu | dims M=60 N=1000
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void relu_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float v = x[i];
    y[i] = v > 0.0f ? v : 0.0f;
  }
}

torch::Tensor relu_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  const int threads = 256;
  const int blocks = std::min((n + threads - 1) / threads, 132 * 4);
  relu_kernel<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""

cpp_source = "torch::Tensor relu_cuda(torch::Tensor x);"

relu = load_inline(
    name="relu_grid_stride",
    cpp_sources=cpp_source,
    cuda_sources=cuda_source,
    functions=["relu_cuda"],
    verbose=False,
    extra_cflags=["-O3"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = relu

    def forward(self, x):
        return self.relu.relu_cuda(x)
#: sigmoid_float4 | tasks sigmoid | dims M=33 N=1001
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r'''
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

__device__ __forceinline__ float sigmoidf(float v) { return 1.0f / (1.0f + expf(-v)); }

// Four elements a thread; the last threads take what is left over one by one.
__global__ void sigmoid_vec4(const float* __restrict__ in, float* __restrict__ out, int64_t n) {
  const int64_t quads = n / 4;
  const int64_t tid = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (tid < quads) {
    float4 v = reinterpret_cast<const float4*>(in)[tid];
    v.x = sigmoidf(v.x);
    v.y = sigmoidf(v.y);
    v.z = sigmoidf(v.z);
    v.w = sigmoidf(v.w);
    reinterpret_cast<float4*>(out)[tid] = v;
  }
  const int64_t rest = quads * 4 + tid;
  if (tid < 4 && rest < n) out[rest] = sigmoidf(in[rest]);
}

torch::Tensor forward(torch::Tensor input) {
  TORCH_CHECK(input.is_cuda(), "input must be a CUDA tensor");
  TORCH_CHECK(input.scalar_type() == torch::kFloat32, "float32 only");
  auto in = input.contiguous();
  auto out = torch::empty_like(in);
  const int64_t n = in.numel();
  const int threads = 128;
  const int64_t blocks = (n / 4 + threads) / threads;
  sigmoid_vec4<<<static_cast<unsigned int>(blocks), threads>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "sigmoid (CUDA)");
}
'''

module = load_inline(name="sigmoid_float4", cpp_sources="", cuda_sources=source)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.forward(x)
#: silu_half2 | tasks silu | dtypes f16 | dims M=31 N=777
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = """
#include <torch/extension.h>
#include <cuda_fp16.h>

__device__ inline float silu(float x) { return x / (1.f + __expf(-x)); }

__global__ void silu_half2_kernel(const __half* x, __half* y, int n) {
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 2 * pair;
    if (i + 1 < n) {
        const __half2 v = reinterpret_cast<const __half2*>(x)[pair];
        const float2 f = __half22float2(v);
        reinterpret_cast<__half2*>(y)[pair] = __floats2half2_rn(silu(f.x), silu(f.y));
    } else if (i < n) {
        y[i] = __float2half(silu(__half2float(x[i])));
    }
}

torch::Tensor silu_half(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    int pairs = (n + 1) / 2;
    silu_half2_kernel<<<(pairs + 255) / 256, 256>>>(
        reinterpret_cast<const __half*>(x.data_ptr<at::Half>()),
        reinterpret_cast<__half*>(y.data_ptr<at::Half>()), n);
    return y;
}
"""
ext = load_inline("silu_half2", ["torch::Tensor silu_half(torch::Tensor x);"], [CUDA], functions=["silu_half"],
                  extra_cuda_cflags=["-O3", "--use_fast_math"])


class ModelNew(nn.Module):
    def __init__(self):
        super(ModelNew, self).__init__()

    def forward(self, x):
        return ext.silu_half(x.contiguous())
#: gelu_dispatch | tasks gelu | dtypes f32 f16 bf16 | dims M=40 N=513
import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

cpp_src = "at::Tensor gelu_forward(const at::Tensor& self);"
cuda_src = """
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

template <typename scalar_t>
__global__ void gelu_kernel(const scalar_t* self, scalar_t* result, const int64_t numel) {
  using opmath_t = at::opmath_type<scalar_t>;
  const int64_t index = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= numel) return;
  constexpr opmath_t kAlpha = M_SQRT1_2;
  const opmath_t v = static_cast<opmath_t>(self[index]);
  result[index] = static_cast<scalar_t>(v * opmath_t(0.5) * (opmath_t(1) + erf(v * kAlpha)));
}

at::Tensor gelu_forward(const at::Tensor& self) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(self));
  at::Tensor input = self.contiguous();
  at::Tensor result = at::empty(input.sizes(), input.options());
  const int64_t numel = input.numel();
  constexpr int kThreads = 512;
  const dim3 grid((numel + kThreads - 1) / kThreads);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, input.scalar_type(), "gelu_forward", [&] {
    gelu_kernel<scalar_t><<<grid, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
        input.data_ptr<scalar_t>(), result.data_ptr<scalar_t>(), numel);
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return result;
}
"""

gelu = load_inline(name="gelu_dispatch", cpp_sources=cpp_src, cuda_sources=cuda_src, functions=["gelu_forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return gelu.gelu_forward(x)
#: softplus_functor | tasks softplus | dims M=64 N=300
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

kernels = """
#include <torch/extension.h>

struct Softplus {
  float beta, threshold;
  __host__ __device__ Softplus(float b, float t) : beta(b), threshold(t) {}
  __device__ float operator()(float v) const {
    const float scaled = v * beta;
    return scaled > threshold ? v : log1pf(expf(scaled)) / beta;
  }
};

template <typename Op, int kUnroll>
__global__ void map_kernel(const float* x, float* y, int n, Op op) {
  const int base = blockIdx.x * blockDim.x * kUnroll + threadIdx.x;
  #pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    const int i = base + k * blockDim.x;
    if (i < n) y[i] = op(x[i]);
  }
}

template <typename Op>
static void map(const torch::Tensor& x, torch::Tensor& y, Op op) {
  constexpr int kBlock = 128, kUnroll = 4;
  const int n = static_cast<int>(x.numel());
  map_kernel<Op, kUnroll><<<(n + kBlock * kUnroll - 1) / (kBlock * kUnroll), kBlock>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), n, op);
}

torch::Tensor softplus(torch::Tensor x, double beta, double threshold) {
  auto y = torch::empty_like(x);
  map(x, y, Softplus(static_cast<float>(beta), static_cast<float>(threshold)));
  return y;
}
"""

extension = load_inline(name="softplus_functor", functions=["softplus"], cuda_sources=[kernels],
                        cpp_sources=["torch::Tensor softplus(torch::Tensor x, double beta, double threshold);"])


class ModelNew(nn.Module):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, x):
        return extension.softplus(x, self.beta, self.threshold)
#: leaky_relu_parameter | tasks leaky_relu | dims M=50 N=64
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = '''
#include <torch/extension.h>

__global__ void prelu(const float* x, const float* slope, float* y, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float a = __ldg(slope);
    const float v = x[i];
    y[i] = fmaxf(v, 0.f) + a * fminf(v, 0.f);
}

void prelu_out(torch::Tensor x, torch::Tensor slope, torch::Tensor y) {
    const unsigned n = x.numel();
    dim3 block(192), grid((n + block.x - 1) / block.x);
    prelu<<<grid, block>>>(x.data_ptr<float>(), slope.data_ptr<float>(), y.data_ptr<float>(), n);
}
'''
cpp_source = "void prelu_out(torch::Tensor x, torch::Tensor slope, torch::Tensor y);"
prelu = load_inline(name="prelu", cpp_sources=cpp_source, cuda_sources=cuda_source, functions=["prelu_out"])


class ModelNew(nn.Module):
    def __init__(self, negative_slope: float = 0.01):
        super().__init__()
        self.slope = nn.Parameter(torch.full((1,), negative_slope))

    def forward(self, x):
        y = torch.empty_like(x)
        prelu.prelu_out(x, self.slope.to(x.device), y)
        return y
#: hardswish_bf16 | tasks hardswish | dtypes bf16 | dims M=20 N=130
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_bf16.h>

__global__ void hardswish_bf16(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = __bfloat162float(x[i]);
    y[i] = __float2bfloat16(v * fminf(fmaxf(v + 3.f, 0.f), 6.f) * (1.f / 6.f));
  }
}

torch::Tensor hardswish(torch::Tensor x) {
  TORCH_CHECK(x.dtype() == torch::kBFloat16, "expected bfloat16");
  auto y = torch::empty_like(x);
  const int n = x.numel();
  hardswish_bf16<<<(n + 127) / 128, 128>>>(
      reinterpret_cast<const __nv_bfloat16*>(x.data_ptr<at::BFloat16>()),
      reinterpret_cast<__nv_bfloat16*>(y.data_ptr<at::BFloat16>()), n);
  return y;
}
"""
ops = load_inline(name="hardswish_bf16", cpp_sources="torch::Tensor hardswish(torch::Tensor x);",
                  cuda_sources=source, functions=["hardswish"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.hardswish(x)
#: maximum_of_compared_halves | tasks maximum | dtypes f32 f16 bf16 | dims M=21 N=320
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

template <typename scalar_t>
__global__ void larger(const scalar_t* a, const scalar_t* b, scalar_t* out, size_t n) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = a[i] > b[i] ? a[i] : b[i];
}

torch::Tensor larger_cuda(const torch::Tensor a, const torch::Tensor b) {
  TORCH_CHECK(a.scalar_type() == b.scalar_type() && a.numel() == b.numel(), "two of a kind");
  auto out = torch::empty_like(a);
  const size_t n = a.numel();
  AT_DISPATCH_FLOATING_TYPES_AND2(torch::kHalf, torch::kBFloat16, a.scalar_type(), "larger", ([&] {
    larger<scalar_t><<<(n + 159) / 160, 160>>>(a.data_ptr<scalar_t>(), b.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n);
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
"""
larger = load_inline(
    name="larger",
    cpp_sources="torch::Tensor larger_cuda(const torch::Tensor a, const torch::Tensor b);",
    cuda_sources=cuda_source,
    functions=["larger_cuda"],
)


class ModelNew(nn.Module):
    def forward(self, x, y):
        return larger.larger_cuda(x, y)
