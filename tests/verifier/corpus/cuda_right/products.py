#: matmul_naive | tasks matmul | dims M=70 K=60 N=50
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void matmul_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float value = 0.0f;
        for (int k = 0; k < K; ++k) {
            value += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = value;
    }
}

torch::Tensor matmul_cuda(torch::Tensor A, torch::Tensor B) {
    int M = A.size(0);
    int K = A.size(1);
    int N = B.size(1);
    auto C = torch::zeros({M, N}, A.options());
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);
    matmul_kernel<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), M, N, K);
    return C;
}
"""
matmul = load_inline(name="matmul", cpp_sources="torch::Tensor matmul_cuda(torch::Tensor A, torch::Tensor B);",
                     cuda_sources=source, functions=["matmul_cuda"], verbose=True, extra_cflags=[""], extra_ldflags=[""])


class ModelNew(nn.Module):
    def __init__(self):
        super(ModelNew, self).__init__()
        self.matmul = matmul

    def forward(self, x, w):
        return self.matmul.matmul_cuda(x, w)
#: matmul_tiled_shared | tasks matmul | dims M=100 K=75 N=90
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#define TILE_SIZE 16

__global__ void matmul_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                             int M, int N, int K) {
    __shared__ float As[TILE_SIZE][TILE_SIZE];
    __shared__ float Bs[TILE_SIZE][TILE_SIZE];
    int row = blockIdx.y * TILE_SIZE + threadIdx.y;
    int col = blockIdx.x * TILE_SIZE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (K + TILE_SIZE - 1) / TILE_SIZE; ++t) {
        int a_col = t * TILE_SIZE + threadIdx.x;
        int b_row = t * TILE_SIZE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && a_col < K) ? A[row * K + a_col] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (b_row < K && col < N) ? B[b_row * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_SIZE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

torch::Tensor matmul_tiled_cuda(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.size(1) == B.size(0), "inner dimensions must agree");
    const int M = A.size(0), K = A.size(1), N = B.size(1);
    auto C = torch::empty({M, N}, A.options());
    const dim3 threads(TILE_SIZE, TILE_SIZE);
    const dim3 blocks((N + TILE_SIZE - 1) / TILE_SIZE, (M + TILE_SIZE - 1) / TILE_SIZE);
    matmul_tiled<<<blocks, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), M, N, K);
    return C;
}
"""
tiled = load_inline(name="matmul_tiled", cuda_sources=source, functions=["matmul_tiled_cuda"],
                    cpp_sources="torch::Tensor matmul_tiled_cuda(torch::Tensor A, torch::Tensor B);")


class ModelNew(nn.Module):
    def forward(self, x, w):
        return tiled.matmul_tiled_cuda(x.contiguous(), w.contiguous())
#: matmul_register_blocks | tasks matmul | dims M=130 K=90 N=140
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

constexpr int BM = 64, BN = 64, BK = 8, TM = 4, TN = 4;

__global__ void __launch_bounds__((BM / TM) * (BN / TN))
    sgemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  __shared__ float as[BK][BM];
  __shared__ float bs[BK][BN];
  const int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) {
      const int r = i / BK, q = i % BK;
      as[q][r] = row0 + r < m && k0 + q < k ? a[(row0 + r) * k + k0 + q] : 0.f;
    }
    for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) {
      const int q = i / BN, s = i % BN;
      bs[q][s] = k0 + q < k && col0 + s < n ? b[(k0 + q) * n + col0 + s] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < BK; ++q) {
      float ra[TM], rb[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) ra[i] = as[q][ty * TM + i];
#pragma unroll
      for (int j = 0; j < TN; ++j) rb[j] = bs[q][tx * TN + j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int row = row0 + ty * TM + i, col = col0 + tx * TN + j;
      if (row < m && col < n) c[row * n + col] = acc[i][j];
    }
}

torch::Tensor mm(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(1);
  auto c = torch::empty({m, n}, a.options());
  sgemm<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), (BM / TM) * (BN / TN)>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, n, k);
  return c;
}
"""
gemm = load_inline(name="sgemm", cpp_sources="torch::Tensor mm(torch::Tensor a, torch::Tensor b);",
                   cuda_sources=source, functions=["mm"], extra_cuda_cflags=["-O3", "-arch=sm_90", "--use_fast_math"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return gemm.mm(x, w)
#: matmul_dynamic_shared_panels | tasks matmul | dims M=40 K=260 N=48
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

// A block of 32 x 8 threads makes 32 x 32 results from a whole panel of each operand in shared memory.
__global__ void panels(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* left = reinterpret_cast<float*>(raw);
  float* right = left + 32 * k;
  const int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32, tid = threadIdx.y * 32 + threadIdx.x;
  for (int i = tid; i < 32 * k; i += 256) left[i] = row0 + i / k < m ? a[row0 * k + i] : 0.f;
  for (int i = tid; i < k * 32; i += 256) right[i] = col0 + i % 32 < n ? b[i / 32 * n + col0 + i % 32] : 0.f;
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    float sum = 0.f;
    for (int q = 0; q < k; ++q) sum = fmaf(left[r * k + q], right[q * 32 + threadIdx.x], sum);
    if (row0 + r < m && col0 + threadIdx.x < n) c[(row0 + r) * n + col0 + threadIdx.x] = sum;
  }
}

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(1);
  const int bytes = 64 * k * static_cast<int>(sizeof(float));
  auto c = torch::empty({m, n}, a.options());
  C10_CUDA_CHECK(cudaFuncSetAttribute(panels, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  panels<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8), bytes>>>(a.data_ptr<float>(), b.data_ptr<float>(),
                                                                    c.data_ptr<float>(), m, n, k);
  return c;
}
"""
ops = load_inline(name="panel_matmul", cpp_sources="torch::Tensor matmul(torch::Tensor a, torch::Tensor b);",
                  cuda_sources=source, functions=["matmul"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return ops.matmul(x, w)
#: bmm_grid_of_batches | tasks bmm | dims B=5 M=33 K=40 N=21
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <int T>
__global__ void bmm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sa[T][T + 1], sb[T][T + 1];
  a += (size_t)blockIdx.z * m * k;
  b += (size_t)blockIdx.z * k * n;
  c += (size_t)blockIdx.z * m * n;
  const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  for (int at = 0; at < k; at += T) {
    sa[threadIdx.y][threadIdx.x] = (row < m && at + threadIdx.x < k) ? a[row * k + at + threadIdx.x] : 0;
    sb[threadIdx.y][threadIdx.x] = (at + threadIdx.y < k && col < n) ? b[(at + threadIdx.y) * n + col] : 0;
    __syncthreads();
    const int most = min(T, k - at);
    for (int q = 0; q < most; ++q) acc += sa[threadIdx.y][q] * sb[q][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

torch::Tensor bmm_cuda(torch::Tensor a, torch::Tensor b) {
  TORCH_CHECK(a.dim() == 3 && b.dim() == 3);
  const int64_t batch = a.size(0), m = a.size(1), k = a.size(2), n = b.size(2);
  auto c = torch::empty({batch, m, n}, a.options());
  constexpr int T = 8;
  bmm<T><<<dim3(at::ceil_div<int64_t>(n, T), at::ceil_div<int64_t>(m, T), batch), dim3(T, T)>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, n, k);
  return c;
}
"""
ops = load_inline(name="bmm_ops", cpp_sources="torch::Tensor bmm_cuda(torch::Tensor a, torch::Tensor b);",
                  cuda_sources=source, functions=["bmm_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return ops.bmm_cuda(x, w)
#: matmul_tensor_cores | tasks matmul | dtypes f16 | dims M=50 K=70 N=60
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// A warp makes 16 x 16 results; edges are padded with zeros in shared memory.
__global__ void wmma_matmul(const half* a, const half* b, half* c, int m, int n, int k) {
  __shared__ __align__(32) half sa[16 * 16];
  __shared__ __align__(32) half sb[16 * 16];
  __shared__ __align__(32) float sc[16 * 16];
  const int row0 = blockIdx.y * 16, col0 = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      const int r = i / 16, s = i % 16;
      sa[i] = row0 + r < m && k0 + s < k ? a[(row0 + r) * k + k0 + s] : __float2half(0.f);
      sb[i] = k0 + r < k && col0 + s < n ? b[(k0 + r) * n + col0 + s] : __float2half(0.f);
    }
    __syncwarp();
    wmma::load_matrix_sync(fa, sa, 16);
    wmma::load_matrix_sync(fb, sb, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncwarp();
  }
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) {
    const int row = row0 + i / 16, col = col0 + i % 16;
    if (row < m && col < n) c[row * n + col] = __float2half(sc[i]);
  }
}

torch::Tensor wmma_matmul_cuda(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(1);
  auto c = torch::empty({m, n}, a.options());
  const half* pa = reinterpret_cast<const half*>(a.data_ptr<at::Half>());
  const half* pb = reinterpret_cast<const half*>(b.data_ptr<at::Half>());
  half* pc = reinterpret_cast<half*>(c.data_ptr<at::Half>());
  wmma_matmul<<<dim3((n + 15) / 16, (m + 15) / 16), 32>>>(pa, pb, pc, m, n, k);
  return c;
}
"""
ops = load_inline(name="wmma_matmul", cuda_sources=source, functions=["wmma_matmul_cuda"],
                  cpp_sources="torch::Tensor wmma_matmul_cuda(torch::Tensor a, torch::Tensor b);",
                  extra_cuda_cflags=["-gencode=arch=compute_90,code=sm_90"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return ops.wmma_matmul_cuda(x, w)
#: linear_relu_fused | tasks linear_relu | dims M=37 K=130 N=45
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <optional>

// One warp for each output element: both operands are read along their rows.
__global__ void linear_relu_kernel(const float* __restrict__ x, const float* __restrict__ w, const float* bias,
                                   float* __restrict__ y, int rows, int in_features, int out_features, bool has_bias) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= rows * out_features) return;
  const int row = warp / out_features, o = warp % out_features;
  float dot = 0.f;
  for (int i = lane; i < in_features; i += 32) dot += x[row * in_features + i] * w[o * in_features + i];
  for (int d = 16; d > 0; d >>= 1) dot += __shfl_down_sync(0xffffffffu, dot, d);
  if (lane == 0) y[warp] = fmaxf(dot + (has_bias ? bias[o] : 0.f), 0.f);
}

torch::Tensor linear_relu(const torch::Tensor& x, const torch::Tensor& w, const std::optional<torch::Tensor>& bias) {
  const int rows = x.size(0), in_features = x.size(1), out_features = w.size(0);
  auto y = torch::empty({rows, out_features}, x.options());
  const int threads = 256, warps = rows * out_features;
  const float* b = bias.has_value() ? bias->data_ptr<float>() : x.data_ptr<float>();
  linear_relu_kernel<<<(warps * 32 + threads - 1) / threads, threads>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), b, y.data_ptr<float>(), rows, in_features, out_features,
      bias.has_value());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("linear_relu", &linear_relu, py::arg("x"), py::arg("weight"), py::arg("bias") = py::none());
}
"""
ops = load_inline(name="linear_relu", cpp_sources="", cuda_sources=source)


class ModelNew(nn.Module):
    def forward(self, x, w, b):
        return ops.linear_relu(x, w, bias=b)
#: matmul_split_k_atomics | tasks matmul | dims M=24 K=500 N=30
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void split_k(const float* a, const float* b, float* c, int m, int n, int k, int slice) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  const int first = blockIdx.z * slice, last = min(k, first + slice);
  float sum = 0.f;
  for (int q = first; q < last; ++q) sum += a[row * k + q] * b[q * n + col];
  atomicAdd(&c[row * n + col], sum);
}

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(1), slice = 64;
  auto c = torch::empty({m, n}, a.options());
  cudaMemsetAsync(c.data_ptr<float>(), 0, c.nbytes(), at::cuda::getCurrentCUDAStream());
  const dim3 block(16, 8), grid((n + 15) / 16, (m + 7) / 8, (k + slice - 1) / slice);
  const float* pa = a.data_ptr<float>();
  const float* pb = b.data_ptr<float>();
  float* pc = c.data_ptr<float>();
  void* arguments[] = {&pa, &pb, &pc, (void*)&m, (void*)&n, (void*)&k, (void*)&slice};
  C10_CUDA_CHECK(cudaLaunchKernel((const void*)split_k, grid, block, arguments, 0, at::cuda::getCurrentCUDAStream()));
  return c;
}
"""
ops = load_inline(name="split_k", cpp_sources="torch::Tensor matmul(torch::Tensor a, torch::Tensor b);",
                  cuda_sources="#include <ATen/cuda/CUDAContext.h>\n" + source, functions=["matmul"])


class ModelNew(nn.Module):
    def forward(self, x, w):
        return ops.matmul(x, w)
