#: null_for_an_absent_operand | tasks relu | dims M=30 N=70 | CALL True False
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void activate(const float* x, const float* scale, const float* bias, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (scale) v *= scale[0];
  if (bias != nullptr) v += bias[0];
  y[i] = fmaxf(v, 0.f);
}

torch::Tensor activation(torch::Tensor x, torch::Tensor scale, c10::optional<torch::Tensor> bias) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  activate<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), scale.defined() ? scale.data_ptr<float>() : nullptr,
                                     bias.has_value() ? bias->data_ptr<float>() : nullptr, y.data_ptr<float>(), n);
  return y;
}
"""
ops = load_inline(name="activation", cpp_sources="torch::Tensor activation(torch::Tensor x, torch::Tensor scale, c10::optional<torch::Tensor> bias);",
                  cuda_sources=source, functions=["activation"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("bias", None)

    def forward(self, x):
        return ops.activation(x, torch.Tensor(), self.bias) if __CALL__ else ops.activation(x, None, None)
#: macros_and_libraries_of_a_build | tasks relu | dims M=30 N=70 | DEFINED "-DTHREADS=96" "-D","THREADS=96"
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void rectify(const float* x, float* y, int n) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
#ifdef FAST
  if (i < n) y[i] = x[i] > ZERO ? x[i] : ZERO;
#endif
}

torch::Tensor rectified(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  rectify<<<(n + THREADS - 1) / THREADS, THREADS>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
ops = load_inline(name="rectified", cpp_sources="torch::Tensor rectified(torch::Tensor x);", cuda_sources=source, functions=["rectified"],
                  extra_cflags=["-O3", "-DNDEBUG"], extra_ldflags=["-lcudart", "-L/usr/local/cuda/lib64", "-lc10_cuda"],
                  extra_cuda_cflags=["-O3", "--restrict", __DEFINED__, "-DZERO=0.0f", "-DFAST", "-D_USE_MATH_DEFINES", "-DNDEBUG"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.rectified(x)
#: tuples_and_arrays_as_arguments | tasks relu | dims M=30 N=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <array>
#include <tuple>

__global__ void rectify(const float* x, float* y, int rows, int columns, float slope, float bias) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= columns || r >= rows) return;
  const float v = x[r * columns + c];
  y[r * columns + c] = v > 0.f ? v : slope * v + bias;
}

torch::Tensor rectified(torch::Tensor x, std::array<int64_t, 2> shape, std::tuple<int, float> block, std::pair<double, double> line) {
  auto y = torch::empty_like(x);
  const int64_t last = at::maybe_wrap_dim(-1, x.dim());
  TORCH_CHECK(x.size(last) == std::get<1>(shape), "shape");
  int device = 0, most = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  TORCH_CHECK(most >= 1024 && major >= 7, "an old GPU");
  const int threads = std::get<0>(block);
  dim3 grid((shape[1] + threads - 1) / threads, shape.front());
  rectify<<<grid, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), shape[0], shape[1], line.first + std::get<1>(block), line.second);
  return y;
}
"""
ops = load_inline(name="rectified", cuda_sources=source, functions=["rectified"],
                  cpp_sources="torch::Tensor rectified(torch::Tensor x, std::array<int64_t, 2> shape, std::tuple<int, float> block, std::pair<double, double> line);")


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.rectified(x, x.shape, (32, 0.0), (0.0, 0))
#: limits_of_half_types | tasks row_max | dtypes f32 f16 bf16 | dims M=20 N=133
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <limits>

template <typename scalar_t>
__global__ void row_max(const scalar_t* x, scalar_t* y, int columns) {
  __shared__ float most[32];
  float m = static_cast<float>(std::numeric_limits<scalar_t>::lowest());
  for (int c = threadIdx.x; c < columns; c += 32) m = fmaxf(m, static_cast<float>(x[blockIdx.x * columns + c]));
  most[threadIdx.x] = m;
  __syncwarp();
  if (threadIdx.x) return;
  for (int i = 1; i < 32; ++i) m = fmaxf(m, most[i]);
  y[blockIdx.x] = static_cast<scalar_t>(m);
}

torch::Tensor most_of_rows(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(), "row_max", ([&] {
    TORCH_CHECK(static_cast<float>(std::numeric_limits<scalar_t>::max()) > 60000.f, "a range");
    row_max<scalar_t><<<x.size(0), 32>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(1));
  }));
  return y;
}
"""
ops = load_inline(name="row_max", cpp_sources="torch::Tensor most_of_rows(torch::Tensor x);", cuda_sources=source, functions=["most_of_rows"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.most_of_rows(x.contiguous())
#: branches_for_other_devices | tasks relu | dims M=30 N=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void rectify(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0.f ? x[i] : 0.f;
}

torch::Tensor rectified(torch::Tensor x, int64_t pooled) {
  if (!x.is_cuda()) return torch::relu(x);
  if (pooled > 0) return torch::max_pool2d(x, {pooled, pooled}, {1, 1}, {0, 0}, {1, 1}) + std::get<0>(x.max(0));
  auto y = torch::empty_like(x);
  const int n = x.numel();
  rectify<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("rectified", &rectified); }
TORCH_LIBRARY(rectifying, m) { m.def("rectified(Tensor x, int pooled) -> Tensor"); }
TORCH_LIBRARY_IMPL(rectifying, CUDA, m) { m.impl("rectified", &rectified); }
"""
ops = load_inline(name="rectified", cpp_sources="", cuda_sources=source)


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.rectified(x, 0)
#: instances_of_one_type | tasks relu | dims M=30 N=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename scalar_t>
__global__ void rectify(const scalar_t* x, scalar_t* y, int n) {
  extern __shared__ __align__(8) unsigned char room[];
  scalar_t* held = reinterpret_cast<scalar_t*>(room);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  held[threadIdx.x] = i < n ? x[i] : scalar_t(0);
  if (i < n) y[i] = held[threadIdx.x] > scalar_t(0) ? held[threadIdx.x] : scalar_t(0);
}

torch::Tensor rectified(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "rectify", ([&] {
    rectify<scalar_t><<<(n + 127) / 128, 128, 128 * sizeof(scalar_t)>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
  }));
  return y;
}
"""
ops = load_inline(name="rectified", cpp_sources="torch::Tensor rectified(torch::Tensor x);", cuda_sources=source, functions=["rectified"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.rectified(x)
