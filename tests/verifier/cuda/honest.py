"""Honest candidates in CUDA, each with the expected contents of its plan."""

ELEMENTWISE = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void relu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0.f ? x[i] : 0.f;
}

torch::Tensor relu_cuda(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be on the GPU");
  auto y = torch::empty_like(x);
  int n = x.numel();
  relu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

# Two kernels and a temporary filled with zeros, with a stream and shared memory.
SUM = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <vector>

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__global__ void partial_sums(const float* __restrict__ x, float* __restrict__ part, int columns) {
  extern __shared__ float room[];
  float sum = 0.f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += x[blockIdx.x * columns + i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < blockDim.x / 32; ++i) sum += room[i];
    part[blockIdx.x] = sum;
  }
}

__global__ void divide(const float* x, const float* part, float* y, int columns, float eps) {
  int i = blockIdx.y * blockDim.x + threadIdx.x;
  if (i < columns) y[blockIdx.x * columns + i] = x[blockIdx.x * columns + i] / (part[blockIdx.x] + eps);
}

torch::Tensor normalise(const torch::Tensor& x, double eps) {
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto rows = x.size(0), columns = x.size(-1);
  auto part = torch::zeros({rows}, x.options());
  auto y = torch::empty({rows, columns}, torch::TensorOptions().dtype(torch::kFloat32).device(x.device()));
  auto stream = at::cuda::getCurrentCUDAStream();
  const int threads = 128;
  partial_sums<<<rows, threads, threads / 32 * sizeof(float), stream>>>(
      x.data_ptr<float>(), part.data_ptr<float>(), columns);
  dim3 grid(rows, (columns + threads - 1) / threads);
  divide<<<grid, threads, 0, stream>>>(x.data_ptr<float>(), part.data_ptr<float>(), y.data_ptr<float>(), columns,
                                       static_cast<float>(eps));
  return y;
}
"""

DISPATCH = """
#include <torch/extension.h>

namespace ops {
template <typename scalar_t, int width>
__global__ void scale(const scalar_t* x, scalar_t* y, float by, int64_t n) {
  int64_t i = (int64_t)blockIdx.x * blockDim.x * width + threadIdx.x;
  for (int k = 0; k < width; ++k, i += blockDim.x)
    if (i < n) y[i] = static_cast<scalar_t>(static_cast<float>(x[i]) * by);
}
}  // namespace ops

at::Tensor scale_cuda(at::Tensor x, float by) {
  auto in = x.contiguous();
  auto y = at::empty_like(in);
  const int64_t n = in.numel();
  const dim3 blocks(static_cast<unsigned>((n + 511) / 512));
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, in.scalar_type(), "scale", [&] {
    ops::scale<scalar_t, 2><<<blocks, 256>>>(in.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), by, n);
  });
  return y;
}
"""

HALF = """
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void add(const __half* a, const __half* b, __half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(a[i], b[i]);
}

torch::Tensor add_half(torch::Tensor a, torch::Tensor b) {
  TORCH_CHECK(a.dtype() == torch::kHalf && b.scalar_type() == at::kHalf, "halves are needed");
  TORCH_CHECK(a.sizes() == b.sizes());
  auto y = torch::empty(a.sizes(), a.options());
  const int n = a.numel();
  add<<<(n + 127) / 128, 128>>>(reinterpret_cast<const __half*>(a.data_ptr<at::Half>()),
                                reinterpret_cast<const __half*>(b.data_ptr<at::Half>()),
                                reinterpret_cast<__half*>(y.data_ptr<at::Half>()), n);
  return y;
}
"""

TRANSPOSE = """
#include <torch/extension.h>
#define TILE 16

__global__ void transpose(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
  if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c];
  __syncthreads();
  c = blockIdx.y * TILE + threadIdx.x, r = blockIdx.x * TILE + threadIdx.y;
  if (r < columns && c < rows) y[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

torch::Tensor transposed(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1);
  auto y = torch::empty({columns, rows}, x.options());
  dim3 block(TILE, TILE);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  return y;
}
"""

IN_PLACE = """
#include <torch/extension.h>

extern "C" __global__ void add_one(const float* x, float* y, unsigned int n, bool twice, double by) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + (float)by + (twice ? 1.f : 0.f);
}

void add_one_out(torch::Tensor x, torch::Tensor y, bool twice) {
  unsigned int n = x.numel();
  add_one<<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, twice, 1.5);
}
"""

NON_CONTIGUOUS = """
#include <torch/extension.h>
__constant__ float factors[4] = {1.f, 2.f, 3.f, 4.f};
static const int kThreads = 96;
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

__global__ void weigh(const float* x, float* y, int n) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) y[i] = x[i] * factors[i % 4];
}

torch::Tensor weigh_cuda(torch::Tensor x) {
  auto t = x.t().contiguous().view({-1});
  auto y = torch::zeros_like(t);
  weigh<<<ceil_div(t.numel(), kThreads), kThreads>>>(t.data_ptr<float>() + 0, y.data_ptr<float>(), t.numel());
  return y.view({x.size(1), x.size(0)});
}
"""

LAUNCH_KERNEL = """
#include <torch/extension.h>
template <typename T>
__global__ void copy_kernel(const T* x, T* y, long n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}
torch::Tensor copied(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  long n = x.numel();
  void* arguments[] = {&from, &to, &n};
  int device, processors;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  auto status = cudaLaunchKernel((const void*)copy_kernel<float>, dim3(processors), dim3(64), arguments, 0,
                                 at::cuda::getCurrentCUDAStream());
  TORCH_CHECK(status == cudaSuccess, cudaGetErrorString(status));
  return y;
}
"""

POINTER = """
#include <torch/extension.h>
struct Square {
  __host__ __device__ float operator()(float v) const { return v * v; }
};
template <typename F>
__global__ void each(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F()(x[i]);
}
static void run(const float* x, float* y, int n, cudaStream_t stream) {
  auto kernel = &each<Square>;
  kernel<<<(n + 31) / 32, 32, 0, stream>>>(x, y, n);
}
torch::Tensor square(torch::Tensor x, c10::optional<torch::Tensor> out, std::vector<int64_t> sizes) {
  torch::Tensor y = out.has_value() ? out.value() : torch::full(sizes, 7, x.options());
  run(x.data_ptr<float>(), y.data_ptr<float>(), static_cast<int>(x.numel()), at::cuda::getCurrentCUDAStream());
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("square", &square, "squares", py::arg("x"), py::arg("out") = py::none(), py::arg("sizes") = std::vector<int64_t>{});
}
"""

SEVERAL = """
#include <torch/extension.h>
__global__ void split(const float* x, float* low, float* high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { low[i] = fminf(x[i], 0.f); high[i] = fmaxf(x[i], 0.f); }
}
__global__ void join(const float* low, const float* high, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = high[i] - low[i];
}
std::tuple<torch::Tensor, torch::Tensor> split_cuda(torch::Tensor x) {
  auto low = torch::empty_like(x), high = torch::empty_like(x);
  int n = x.numel();
  split<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), low.data_ptr<float>(), high.data_ptr<float>(), n);
  return std::make_tuple(low, high);
}
torch::Tensor join_cuda(std::vector<torch::Tensor> both) {
  auto y = torch::empty_like(both[0]);
  int n = y.numel();
  join<<<(n + 255) / 256, 256>>>(both[0].data_ptr<float>(), both[1].data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""

DYNAMIC = """
#include <torch/extension.h>
__global__ void reversed(const float* x, float* y, int columns) {
  extern __shared__ float row[];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) row[i] = x[blockIdx.x * columns + i];
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) y[blockIdx.x * columns + i] = row[columns - 1 - i];
}
torch::Tensor reversed_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int columns = x.size(1);
  size_t bytes = columns * sizeof(float);
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  reversed<<<x.size(0), std::min(columns, 256), bytes>>>(x.data_ptr<float>(), y.data_ptr<float>(), columns);
  return y;
}
"""

MEMSET = """
#include <torch/extension.h>
__global__ void count(const float* x, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.f) atomicAdd(counts, 1);
}
__global__ void share(const int* counts, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (float)*counts / n;
}
torch::Tensor share_cuda(torch::Tensor x) {
  auto counts = torch::empty({1}, x.options().dtype(torch::kInt32));
  cudaMemsetAsync(counts.data_ptr<int>(), 0, sizeof(int), at::cuda::getCurrentCUDAStream());
  auto y = torch::empty_like(x);
  int n = x.numel();
  count<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), counts.data_ptr<int>(), n);
  share<<<(n + 255) / 256, 256>>>(counts.data_ptr<int>(), y.data_ptr<float>(), n);
  return y;
}
"""


STRUCT = """
#include <torch/extension.h>
struct Base { short small; };
struct Affine : Base {
  char letter;
  double by;
  const float* shift;
  float* unused;
  int sizes[2];
  unsigned narrow : 3, wide : 9;
};
__global__ void affine(const float* x, float* y, Affine how) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < how.sizes[0] * how.sizes[1]) y[i] = x[i] * (float)how.by + how.shift[i % how.sizes[1]] + how.small + how.wide;
}
torch::Tensor affine_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Affine how;
  how.small = 3, how.letter = 'a', how.by = 0.5;
  how.shift = x.data_ptr<float>() + 2, how.unused = nullptr;
  how.sizes[0] = x.size(0), how.sizes[1] = x.size(1);
  how.narrow = 1, how.wide = 5;
  affine<<<11, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), how);
  return y;
}
"""

ACCESSOR = """
#include <torch/extension.h>
__global__ void doubled(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> x, torch::PackedTensorAccessor64<float, 2> y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size(1)) y[blockIdx.y][i] = 2.f * x[blockIdx.y][i];
}
torch::Tensor doubled_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  dim3 grid((x.size(1) + 31) / 32, x.size(0));
  doubled<<<grid, 32>>>(x.packed_accessor32<float, 2, torch::RestrictPtrTraits>(), y.packed_accessor64<float, 2>());
  return y;
}
"""

SCALARS = """
#include <torch/extension.h>
#include <cuda_fp16.h>
__global__ void scale(const __half* x, __half* y, __half by, c10::BFloat16 plus, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(x[i], by, __float2half(static_cast<float>(plus)));
}
torch::Tensor scale_cuda(torch::Tensor x, double by) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 127) / 128, 128>>>(reinterpret_cast<const __half*>(x.data_ptr<at::Half>()), reinterpret_cast<__half*>(y.data_ptr<at::Half>()),
                                  __float2half(by), c10::BFloat16(1.5f), n);
  return y;
}
"""

# PyTorch's 16-bit floats are compared with each other and with numbers.
COMPARED = """
#include <torch/extension.h>
template <typename scalar_t>
__global__ void clip(const scalar_t* x, scalar_t* y, scalar_t most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  scalar_t v = x[i];
  if (v > most) v = most;
  if (v < 0 || v == -0.0f || 1e4 <= v || 2 != v) v = v >= most ? most : scalar_t(0);
  y[i] = v;
}
torch::Tensor clip_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  const c10::Half most(6.0f);
  TORCH_CHECK(most > 5 && most == c10::Half(6.0f));
  clip<c10::Half><<<(n + 127) / 128, 128>>>(x.data_ptr<c10::Half>(), y.data_ptr<c10::Half>(), most, n);
  return y;
}
"""

# An intrinsic that only the compiler of device code knows, in a template instance of a kernel.
INTRINSIC = """
#include <torch/extension.h>
template <typename T>
__global__ void round_up(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __fadd_ru(x[i], T(1));
}
torch::Tensor round_up_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  round_up<float><<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""


def candidate(cuda, forward, functions=None, cpp="", more=""):
    named = f"functions={functions!r}, " if functions else ""
    return f'''import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """{cuda}"""
cpp_source = """{cpp}"""
ext = load_inline(name="ext", cpp_sources=cpp_source, cuda_sources=cuda_source, {named}{more}verbose=False)


class ModelNew(nn.Module):
    def forward(self, *inputs):
        x = inputs[0]
        {forward}
'''


A, B = ([37, 19], "f32"), ([37, 19], "f16")
# name: (candidate, inputs, steps); a step is "fill", "copy" or (kernel, grid, block, shared, arguments except
# pointers)
CANDIDATES = {
    "elementwise": (candidate(ELEMENTWISE, "return ext.relu_cuda(x)", ["relu_cuda"], "torch::Tensor relu_cuda(torch::Tensor x);"), [A],
                    [("relu_kernel", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}])]),
    "two_kernels": (candidate(SUM, "return ext.normalise(x, 1e-3)", "normalise"), [A],
                    ["fill", ("partial_sums", [37, 1, 1], [128, 1, 1], 16, [{"i32": 19}]),
                     ("divide", [37, 1, 1], [128, 1, 1], 0, [{"i32": 19}, {"f32": 0.0010000000474974513}])]),
    "dispatch_float": (candidate(DISPATCH, "return ext.scale_cuda(x, 2)", ["scale_cuda"]), [A],
                       [("ops::scale<float, 2>", [2, 1, 1], [256, 1, 1], 0, [{"f32": 2.0}, {"i64": 703}])]),
    "dispatch_half": (candidate(DISPATCH, "return ext.scale_cuda(x.t(), 0.5)", ["scale_cuda"]), [B],
                      ["copy", ("ops::scale<c10::Half, 2>", [2, 1, 1], [256, 1, 1], 0, [{"f32": 0.5}, {"i64": 703}])]),
    "half": (candidate(HALF, "return ext.add_half(x, inputs[1])", {"add_half": "adds"}), [B, B],
             [("add", [6, 1, 1], [128, 1, 1], 0, [{"i32": 703}])]),
    "two_dimensions": (candidate(TRANSPOSE, "return ext.transposed(x)", ["transposed"]), [A],
                       [("transpose", [2, 3, 1], [16, 16, 1], 0, [{"i32": 37}, {"i32": 19}])]),
    "in_place": (candidate(IN_PLACE, "y = torch.empty_like(x); ext.add_one_out(x, y, True); return y", ["add_one_out"]), [A],
                 [("add_one", [11, 1, 1], [64, 1, 1], 0, [{"i32": 703}, {"i1": True}, {"f64": 1.5}])]),
    "non_contiguous": (candidate(NON_CONTIGUOUS, "return ext.weigh_cuda(x)", ["weigh_cuda"], more="extra_cuda_cflags=['-O3', '--use_fast_math'], "),
                       [A], ["copy", "fill", ("weigh", [8, 1, 1], [96, 1, 1], 0, [{"i32": 703}])]),
    "launch_kernel": (candidate(LAUNCH_KERNEL, "return ext.copied(x)", ["copied"]), [A],
                      [("copy_kernel<float>", [132, 1, 1], [64, 1, 1], 0, [{"i64": 703}])]),
    "bound_by_hand": (candidate(POINTER, "return ext.square(x, sizes=[37, 19])"), [A],
                      ["fill", ("each<Square>", [22, 1, 1], [32, 1, 1], 0, [{"i32": 703}])]),
    "several_functions": (candidate(SEVERAL, "return ext.join_cuda(list(ext.split_cuda(x)))", ["split_cuda", "join_cuda"]), [A],
                          [("split", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}]), ("join", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}])]),
    "dynamic_shared": (candidate(DYNAMIC, "return ext.reversed_cuda(x)", ["reversed_cuda"]), [A],
                       [("reversed", [37, 1, 1], [19, 1, 1], 76, [{"i32": 19}])]),
    "struct": (candidate(STRUCT, "return ext.affine_cuda(x)", ["affine_cuda"]), [A],
               [("affine", [11, 1, 1], [64, 1, 1], 0,
                 [{"bytes": "03006100" "00000000" "000000000000e03f" "0000000000000000" "0000000000000000" "25000000" "13000000" "2900" "0000" "00000000",
                   "addresses": [{"at": 16, "buffer": 0, "offset": 8}]}])]),
    "accessor": (candidate(ACCESSOR, "return ext.doubled_cuda(x)", ["doubled_cuda"]), [A],
                 [("doubled", [1, 37, 1], [32, 1, 1], 0,
                   [{"bytes": "0000000000000000" "25000000" "13000000" "13000000" "01000000", "addresses": [{"at": 0, "buffer": 0, "offset": 0}]},
                    {"bytes": "0000000000000000" "2500000000000000" "1300000000000000" "1300000000000000" "0100000000000000",
                     "addresses": [{"at": 0, "buffer": 1, "offset": 0}]}])]),
    "scalars_of_16_bits": (candidate(SCALARS, "return ext.scale_cuda(x, 0.25)", ["scale_cuda"]), [B],
                           [("scale", [6, 1, 1], [128, 1, 1], 0, [{"f16": 0.25}, {"bf16": 1.5}, {"i32": 703}])]),
    "compared_halves": (candidate(COMPARED, "return ext.clip_cuda(x)", ["clip_cuda"]), [B],
                        [("clip<c10::Half>", [6, 1, 1], [128, 1, 1], 0, [{"f16": 6.0}, {"i32": 703}])]),
    "intrinsic_in_a_template": (candidate(INTRINSIC, "return ext.round_up_cuda(x)", ["round_up_cuda"]), [A],
                                [("round_up<float>", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}])]),
    "empty_flags": (candidate(ELEMENTWISE, "return ext.relu_cuda(x)", ["relu_cuda"], more="extra_cflags=[''], extra_ldflags=[''], "), [A],
                    [("relu_kernel", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}])]),
    "memset": (candidate(MEMSET, "return ext.share_cuda(x)", ["share_cuda"]), [A],
               ["fill", ("count", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}]), ("share", [3, 1, 1], [256, 1, 1], 0, [{"i32": 703}])]),
}
