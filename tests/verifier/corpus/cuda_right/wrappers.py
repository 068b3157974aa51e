#: wrapper_of_check_macros | tasks relu | dims M=30 N=70
import os

import torch
import torch.nn as nn
from torch.utils import cpp_extension

os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"

SOURCE = r"""
#include <torch/extension.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>
#include <stdio.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) \
  CHECK_CUDA(x);       \
  CHECK_CONTIGUOUS(x)
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__global__ void relu_kernel(const float *in, float *out, const int size) {
  const int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < size) out[idx] = fmaxf(in[idx], 0.0f);
}

std::vector<torch::Tensor> relu_forward(torch::Tensor input) {
  CHECK_INPUT(input);
  std::vector<int64_t> shape = input.sizes().vec();
  auto options = torch::TensorOptions().dtype(input.dtype()).device(input.device()).requires_grad(false);
  auto output = torch::zeros(shape, options);
  const int size = static_cast<int>(input.numel());
  constexpr int kBlock = 256;
  cudaStream_t stream = at::cuda::getCurrentCUDAStream().stream();
  relu_kernel<<<CEIL_DIV(size, kBlock), kBlock, 0, stream>>>(input.data<float>(), output.data<float>(), size);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) {
    printf("relu_forward: %s\n", cudaGetErrorString(err));
    throw std::runtime_error(cudaGetErrorString(err));
  }
  cudaDeviceSynchronize();
  return {output};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "relu";
  m.def("forward", &relu_forward, "ReLU forward (CUDA)");
}
"""

relu_cuda = cpp_extension.load_inline(
    name="relu_macros", cpp_sources=[""], cuda_sources=["#include <ATen/cuda/CUDAContext.h>\n" + SOURCE], with_cuda=True,
    extra_include_paths=[], keep_intermediates=False, build_directory=None,
    extra_cuda_cflags=["-O3", "-gencode=arch=compute_90a,code=sm_90a", "-U__CUDA_NO_HALF_OPERATORS__",
                       "--expt-relaxed-constexpr", "-Xptxas", "-v", "-std=c++17", "-lineinfo"])


class ReLUFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        outputs = relu_cuda.forward(x.contiguous())
        ctx.save_for_backward(x)
        return outputs[0]

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x > 0)


class ModelNew(nn.Module):
    def forward(self, x):
        return ReLUFunction.apply(x)
#: wrapper_of_occupancy | tasks add | dims M=40 N=99
import torch
import torch.nn as nn
import torch.utils.cpp_extension as extension

source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

namespace {
template <typename T, bool kVector>
__global__ void add(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if constexpr (kVector) {
    for (; i < n / 4; i += step) {
      const float4 u = __ldg(reinterpret_cast<const float4*>(a) + i), v = __ldg(reinterpret_cast<const float4*>(b) + i);
      reinterpret_cast<float4*>(c)[i] = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
    }
  } else {
#pragma unroll 4
    for (; i < n; i += step) c[i] = a[i] + b[i];
  }
}
}  // namespace

at::Tensor add_cuda(const at::Tensor& a, const at::Tensor& b) {
  c10::cuda::CUDAGuard guard(a.device());
  TORCH_CHECK(a.sizes() == b.sizes(), "shapes differ: ", a.sizes(), " and ", b.sizes());
  TORCH_CHECK_EQ(a.dim(), b.dim());
  at::Tensor c = at::empty_like(a, a.options());
  const int64_t n = a.numel();
  if (n == 0) return c;
  const float* pa = a.const_data_ptr<float>();
  const float* pb = b.const_data_ptr<float>();
  float* pc = c.mutable_data_ptr<float>();
  int least = 0, block = 0;
  const bool vector = n % 4 == 0;
  if (vector) {
    C10_CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &block, add<float, true>, 0, 0));
  } else {
    block = 128;
  }
  cudaDeviceProp* properties = at::cuda::getCurrentDeviceProperties();
  const int64_t most = properties->multiProcessorCount * 8;
  const dim3 grid(std::max<int64_t>(1, std::min<int64_t>((n + block - 1) / block, most)));
  auto launch = [&](auto kernel) { kernel<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(pa, pb, pc, n); };
  if (vector) launch(add<float, true>);
  else launch(add<float, false>);
  AT_CUDA_CHECK(cudaGetLastError());
  return c;
}
"""
module = None


def build():
    global module
    if module is None:
        module = extension.load_inline("add_occupancy", ["at::Tensor add_cuda(const at::Tensor& a, const at::Tensor& b);"],
                                       [source], ["add_cuda"])
    return module


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.ops = build()

    def forward(self, x, y):
        return self.ops.add_cuda(x, y)
#: wrapper_that_chooses_a_block_size | tasks row_sum | dims M=25 N=190
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <unsigned kBlock>
__global__ void row_sum(const float* x, float* y, unsigned n) {
  __shared__ float part[kBlock];
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += kBlock) sum += x[blockIdx.x * n + i];
  part[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (!threadIdx.x) y[blockIdx.x] = part[0];
}

#define LAUNCH(kBlock)                                                                                     \\
  case kBlock:                                                                                             \\
    row_sum<kBlock><<<rows, kBlock>>>(x.data_ptr<float>(), y.data_ptr<float>(), static_cast<unsigned>(n)); \\
    break;

torch::Tensor forward(torch::Tensor x) {
  const auto sizes = x.sizes();
  const int64_t rows = sizes[0], n = sizes[1];
  auto y = x.new_empty({rows});
  int block = 32;
  while (block < n && block < 256) block *= 2;
  switch (block) {
    LAUNCH(32)
    LAUNCH(64)
    LAUNCH(128)
    LAUNCH(256)
    default:
      AT_ERROR("no kernel for a block of ", block);
  }
  return y;
}
"""


class ModelNew(nn.Module):
    def forward(self, x):
        ext = load_inline(name="row_sum_blocks", cpp_sources="torch::Tensor forward(torch::Tensor);", cuda_sources=source,
                          functions=["forward"])
        return ext.forward(x)
#: wrapper_of_tuples_and_options | tasks log_softmax | dims M=22 N=75
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <tuple>
#include <string>

enum class Mode : int { plain = 0, logarithm = 1 };

template <Mode mode>
__global__ void apply(const float* x, const float* most, const float* sums, float* y, int columns) {
  const int row = blockIdx.x;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float shifted = x[row * columns + c] - most[row];
    y[row * columns + c] = mode == Mode::logarithm ? shifted - __logf(sums[row]) : __fdividef(__expf(shifted), sums[row]);
  }
}

__global__ void reduce(const float* x, float* most, float* sums, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  float m = -INFINITY, s = 0.f;
  for (int c = threadIdx.x; c < columns; c += 32) m = max(m, x[row * columns + c]);
  for (int d = 16; d; d >>= 1) m = max(m, __shfl_xor_sync(0xffffffff, m, d));
  for (int c = threadIdx.x; c < columns; c += 32) s += exp(x[row * columns + c] - m);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
  if (threadIdx.x == 0) most[row] = m, sums[row] = s;
}

static std::tuple<at::Tensor, at::Tensor> statistics(const at::Tensor& x) {
  auto most = torch::full({x.size(0)}, -1.0, x.options()), sums = torch::ones({x.size(0)}, x.options());
  reduce<<<x.size(0), dim3(32, 1)>>>(x.data_ptr<float>(), most.data_ptr<float>(), sums.data_ptr<float>(), x.size(1));
  return std::make_tuple(most, sums);
}

at::Tensor softmax(const at::Tensor& input, std::string kind, c10::optional<at::Tensor> out, bool check) {
  if (check) TORCH_CHECK(kind == "log" || kind == "plain", "kind is log or plain");
  const auto x = input.contiguous().view({-1, input.size(-1)});
  at::Tensor most, sums;
  std::tie(most, sums) = statistics(x);
  at::Tensor y = out.has_value() ? *out : torch::empty_like(x);
  const int threads = std::min<int>(x.size(1), 128);
  if (kind == "log")
    apply<Mode::logarithm><<<x.size(0), threads>>>(x.data_ptr<float>(), most.data_ptr<float>(), sums.data_ptr<float>(),
                                                   y.data_ptr<float>(), x.size(1));
  else
    apply<Mode::plain><<<x.size(0), threads>>>(x.data_ptr<float>(), most.data_ptr<float>(), sums.data_ptr<float>(),
                                               y.data_ptr<float>(), x.size(1));
  return y.view_as(input);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  using namespace pybind11::literals;
  m.def("softmax", &softmax, "softmax or its logarithm", "x"_a, "kind"_a = "plain", "out"_a = py::none(), "check"_a = true);
}
"""
ops = load_inline(name="softmax_kinds", cpp_sources="", cuda_sources=source)


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.softmax(x, kind="log")
#: wrapper_of_two_extensions | tasks bias_relu | dims M=18 N=66
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

HEADER = """
#include <torch/extension.h>
#define THREADS %d
"""
ADD = HEADER % 64 + """
__global__ void add_bias(const float* x, const float* b, float* y, int n, int columns) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) y[i] = x[i] + b[i % columns];
}
torch::Tensor add_bias_cuda(torch::Tensor x, torch::Tensor b) {
  auto y = torch::empty_like(x);
  add_bias<<<(x.numel() + THREADS - 1) / THREADS, THREADS>>>(x.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(),
                                                             x.numel(), x.size(1));
  return y;
}
"""
RELU = HEADER % 96 + """
__global__ void relu_in_place(float* y, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n && y[i] < 0.f) y[i] = 0.f;
}
torch::Tensor& relu_cuda_(torch::Tensor& y) {
  relu_in_place<<<(y.numel() + THREADS - 1) / THREADS, THREADS>>>(y.data_ptr<float>(), y.numel());
  return y;
}
"""
add = load_inline(name="add_bias", cpp_sources="torch::Tensor add_bias_cuda(torch::Tensor x, torch::Tensor b);",
                  cuda_sources=ADD, functions=["add_bias_cuda"])
relu = load_inline(name="relu_", cpp_sources="torch::Tensor& relu_cuda_(torch::Tensor& y);", cuda_sources=RELU,
                   functions=["relu_cuda_"])


class ModelNew(nn.Module):
    def forward(self, x, b):
        with torch.no_grad():
            return relu.relu_cuda_(add.add_bias_cuda(x, b))
#: wrapper_of_asynchronous_copies | tasks add | dims M=16 N=256
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_pipeline.h>

__device__ __forceinline__ void copy16(void* shared, const void* global) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global));
}

__global__ void add_staged(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float left[512];
  __shared__ __align__(16) float right[512];
  const int first = blockIdx.x * 512, at = 4 * threadIdx.x;
  if (first + at + 3 < n) {
    copy16(left + at, a + first + at);
    __pipeline_memcpy_async(right + at, b + first + at, 16);
  } else {
    for (int k = at; k < at + 4; ++k)
      if (first + k < n) left[k] = a[first + k], right[k] = b[first + k];
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  for (int k = at; k < at + 4; ++k)
    if (first + k < n) c[first + k] = left[k] + right[k];
}

torch::Tensor add_cuda(torch::Tensor a, torch::Tensor b) {
  auto c = torch::empty_like(a);
  const int n = a.numel();
  add_staged<<<(n + 511) / 512, 128>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
  return c;
}
"""
ops = load_inline(name="add_staged", cpp_sources="torch::Tensor add_cuda(torch::Tensor a, torch::Tensor b);",
                  cuda_sources=source, functions=["add_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return ops.add_cuda(x, y)
#: wrapper_of_a_functor | tasks square | dims M=20 N=55
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename F>
__global__ void each(const float* x, float* y, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = f(x[i]);
}

__device__ float squared(float v) { return v * v; }
struct Apply {
  __device__ __forceinline__ float operator()(float v) const { return squared(v); }
};

torch::Tensor square(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  each<<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, Apply{});
  return y;
}
"""
ops = load_inline(name="square", cpp_sources="torch::Tensor square(torch::Tensor x);", cuda_sources=source,
                  functions=["square"], extra_cuda_cflags=["--extended-lambda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.square(x)
#: wrapper_of_ordered_atomics | tasks row_max | dims M=20 N=300
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/types.h>
#include <torch/extension.h>
#include <limits>

__device__ float atomicMaxFloat(float* address, float value) {
  int* as_int = reinterpret_cast<int*>(address);
  int old = *as_int, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(as_int, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void row_max(const float* x, float* y, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < columns) atomicMaxFloat(y + blockIdx.y, x[blockIdx.y * columns + c]);
}

torch::Tensor row_max_cuda(torch::Tensor x) {
  using namespace torch::indexing;
  const float least = -std::numeric_limits<float>::infinity();
  auto y = torch::full({x.size(0)}, least, torch::dtype(x.dtype()).device(x.device()));
  const dim3 block{64, 1, 1}, grid{static_cast<unsigned>((x.size(1) + 63) / 64), static_cast<unsigned>(x.size(0)), 1};
  row_max<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), static_cast<int>(x.size(1)));
  return y;
}
"""
ops = load_inline(name="row_max_atomic", cpp_sources="torch::Tensor row_max_cuda(torch::Tensor x);", cuda_sources=source,
                  functions=["row_max_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.row_max_cuda(x)
#: wrapper_of_accumulate_types | tasks row_mean | dtypes f32 f16 | dims M=20 N=133
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>
#include <type_traits>

#ifndef __CUDACC__
#error "nvcc compiles this"
#endif

__host__ __device__ inline int cdiv(int a, int b) { return (a + b - 1) / b; }

template <typename T>
struct SharedMemory {
  __device__ static T* get() {
    extern __shared__ char smem[];
    return reinterpret_cast<T*>(smem);
  }
};

namespace detail {
template <typename T>
struct Add {
  static constexpr T identity = T(0);
  static __device__ __forceinline__ T call(T a, T b) { return a + b; }
};
}  // namespace detail

// Not <<<grid, block>>> of system() but of rows: a comment's words are no calls.
template <typename scalar_t, typename acc_t = at::acc_type<scalar_t, true>, template <typename> class Op = detail::Add>
__global__ void __launch_bounds__(256, 2) mean_rows(const scalar_t* __restrict x, scalar_t* y, int64_t columns, int64_t stride) {
  static_assert(!std::is_same_v<acc_t, at::Half>, "sums are not halves");
  acc_t* part = SharedMemory<acc_t>::get();
  acc_t sum = Op<acc_t>::identity;
  for (int64_t c = threadIdx.x; c < columns; c += blockDim.x) sum = Op<acc_t>::call(sum, static_cast<acc_t>(x[blockIdx.x * stride + c]));
  part[threadIdx.x] = sum;
  __syncthreads();
  int left = blockDim.x;
  do {
    const int half = (left + 1) >> 1;
    if (threadIdx.x + half < left) part[threadIdx.x] = Op<acc_t>::call(part[threadIdx.x], part[threadIdx.x + half]);
    left = half;
    __syncthreads();
  } while (left > 1);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "too old"
#endif
  if (threadIdx.x == 0) y[blockIdx.x] = static_cast<scalar_t>(part[0] / static_cast<acc_t>(columns));
}

torch::Tensor mean_cuda(const torch::Tensor& x) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.stride(1) == 1);
  auto y = torch::empty({x.size(0)}, x.options());
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "mean_cuda", [&]() {
    using acc_t = at::acc_type<scalar_t, true>;
    const int threads = std::max(1, std::min<int>(100, x.size(1)));
    mean_rows<scalar_t><<<x.size(0), threads, threads * sizeof(acc_t), at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(1), x.stride(0));
    static_assert(sizeof(acc_t) >= 4);
  });
  return y;
}
"""
ops = load_inline(name="mean_rows", cpp_sources="torch::Tensor mean_cuda(const torch::Tensor& x);", cuda_sources=source,
                  functions=["mean_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.mean_cuda(x)
#: wrapper_of_vector_types | tasks scaled_add | dtypes f16 bf16 | dims M=24 N=64
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

constexpr float kScale[2] = {0.5f, 1.0f};
typedef unsigned int u32;
using index_t = std::size_t;

union Pack {
  uint4 raw;
  __half2 halves[4];
  __nv_bfloat162 brains[4];
};

template <bool kHalf>
__device__ __forceinline__ float4 unpack(u32 lo, u32 hi);
template <>
__device__ __forceinline__ float4 unpack<true>(u32 lo, u32 hi) {
  const float2 a = __half22float2(*reinterpret_cast<__half2*>(&lo)), b = __half22float2(*reinterpret_cast<__half2*>(&hi));
  return make_float4(a.x, a.y, b.x, b.y);
}
template <>
__device__ __forceinline__ float4 unpack<false>(u32 lo, u32 hi) {
  const float2 a = __bfloat1622float2(*reinterpret_cast<__nv_bfloat162*>(&lo));
  const float2 b = __bfloat1622float2(*reinterpret_cast<__nv_bfloat162*>(&hi));
  return make_float4(a.x, a.y, b.x, b.y);
}

template <bool kHalf>
__global__ void scaled_add(const void* x, const void* y, void* out, index_t packs) {
  const index_t i = blockIdx.x * static_cast<index_t>(blockDim.x) + threadIdx.x;
  if (i >= packs) return;
  const uint4 a = static_cast<const uint4*>(x)[i], b = static_cast<const uint4*>(y)[i];
  Pack result;
  const u32 left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
  for (int k = 0; k < 4; k += 2) {
    const float4 u = unpack<kHalf>(left[k], left[k + 1]), v = unpack<kHalf>(right[k], right[k + 1]);
    const float sum[4] = {kScale[0] * u.x + v.x, kScale[0] * u.y + v.y, kScale[0] * u.z + v.z, kScale[0] * u.w + v.w * kScale[1]};
    if constexpr (kHalf) {
      result.halves[k] = __floats2half2_rn(sum[0], sum[1]);
      result.halves[k + 1] = __floats2half2_rn(sum[2], sum[3]);
    } else {
      result.brains[k] = __floats2bfloat162_rn(sum[0], sum[1]);
      result.brains[k + 1] = __floats2bfloat162_rn(sum[2], sum[3]);
    }
  }
  static_cast<uint4*>(out)[i] = result.raw;
}

template <typename T>
__global__ void scaled_add_rest(const T* x, const T* y, T* out, index_t first, index_t n) {
  for (index_t i = first + threadIdx.x; i < n; i += blockDim.x)
    out[i] = static_cast<T>(kScale[0] * static_cast<float>(x[i]) + static_cast<float>(y[i]));
}

torch::Tensor run(torch::Tensor x, torch::Tensor y) {
  auto out = torch::empty_like(x);
  const index_t n = x.numel(), packs = n / 8;
  const bool half = x.scalar_type() == at::ScalarType::Half;
  if (packs > 0) {
    const unsigned blocks = static_cast<unsigned>((packs + 127) / 128);
    if (half) scaled_add<true><<<blocks, 128>>>(x.data_ptr(), y.data_ptr(), out.data_ptr(), packs);
    else scaled_add<false><<<blocks, 128>>>(x.data_ptr(), y.data_ptr(), out.data_ptr(), packs);
  }
  if (n % 8 != 0) {
    if (half) {
      scaled_add_rest<at::Half><<<1, 8>>>(x.data_ptr<at::Half>(), y.data_ptr<at::Half>(), out.data_ptr<at::Half>(), packs * 8, n);
    } else {
      scaled_add_rest<at::BFloat16><<<1, 8>>>(x.data_ptr<at::BFloat16>(), y.data_ptr<at::BFloat16>(),
                                              out.data_ptr<at::BFloat16>(), packs * 8, n);
    }
  }
  return out;
}
"""
ops = load_inline(name="scaled_add_packs", cpp_sources="torch::Tensor run(torch::Tensor x, torch::Tensor y);",
                  cuda_sources=source, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return ops.run(x, y)
#: wrapper_of_votes_and_switches | tasks greater | dims M=33 N=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

enum Kind { kGreater, kLess, kEqual };

__device__ bool compare(float a, float b, Kind kind) {
  switch (kind) {
    case kGreater:
      return a > b;
    case kLess:
      return a < b;
    default:
      return a == b;
  }
}

// A word of 32 answers a warp, then a byte for each.
__global__ void compare_words(const float* a, const float* b, unsigned* words, long long n, Kind kind) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const unsigned word = __ballot_sync(0xffffffff, i < n && compare(a[min(i, n - 1)], b[min(i, n - 1)], kind));
  if (threadIdx.x % warpSize == 0 && i < n) words[i / warpSize] = word;
}

__global__ void expand(const unsigned* words, bool* out, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = words[i >> 5] >> (i & 31) & 1u;
}

torch::Tensor compare_cuda(torch::Tensor a, torch::Tensor b, int kind) {
  const long long n = a.numel();
  auto words = torch::empty({(int64_t)((n + 31) / 32)}, a.options().dtype(torch::kInt32));
  auto out = torch::empty(a.sizes(), a.options().dtype(at::kBool));
  unsigned* bits = reinterpret_cast<unsigned*>(words.data_ptr<int>());
  const int blocks = (n + 255) / 256;
  compare_words<<<blocks, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), bits, n, static_cast<Kind>(kind));
  expand<<<blocks, 256>>>(bits, out.data_ptr<bool>(), n);
  return out;
}
"""
ops = load_inline(name="compare", cpp_sources="torch::Tensor compare_cuda(torch::Tensor a, torch::Tensor b, int kind);",
                  cuda_sources=source, functions=["compare_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return ops.compare_cuda(x, y, 0)
