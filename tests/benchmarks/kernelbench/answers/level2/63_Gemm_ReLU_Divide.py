# A linear layer, ReLU, and a division, in CUDA C++: tiles in shared memory, 4 x 4 results for each thread.
#: wrong | fmaxf(sum[i][j] + bias[column], 0.f) | fmaxf(sum[i][j], 0.f) + bias[column]
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

#define TILE 64
#define DEPTH 16

__global__ void linear_relu_kernel(const float* x, const float* w, const float* bias, float* y, int M, int N, int K, float divisor) {
  __shared__ float xs[DEPTH][TILE + 1];
  __shared__ float ws[DEPTH][TILE + 1];
  const int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
  float sum[4][4] = {};
  for (int start = 0; start < K; start += DEPTH) {
    for (int i = thread; i < DEPTH * TILE; i += 256) {  // both are read along K
      const int k = start + i % DEPTH, row = row0 + i / DEPTH, column = column0 + i / DEPTH;
      xs[i % DEPTH][i / DEPTH] = k < K && row < M ? x[(size_t)row * K + k] : 0.f;
      ws[i % DEPTH][i / DEPTH] = k < K && column < N ? w[(size_t)column * K + k] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += xs[k][ty + 16 * i] * ws[k][tx + 16 * j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = row0 + ty + 16 * i, column = column0 + tx + 16 * j;
      if (row < M && column < N) y[(size_t)row * N + column] = fmaxf(sum[i][j] + bias[column], 0.f) / divisor;
    }
}

torch::Tensor linear_relu_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor bias, double divisor) {
  const int M = x.size(0), K = x.size(1), N = w.size(0);
  auto y = torch::empty({M, N}, x.options());
  const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  linear_relu_kernel<<<grid, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), M, N, K,
                                    static_cast<float>(divisor));
  return y;
}
"""

cpp_source = "torch::Tensor linear_relu_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor bias, double divisor);"
extension = load_inline(name="linear_relu", cpp_sources=cpp_source, cuda_sources=cuda_source, functions=["linear_relu_cuda"])


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, divisor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.divisor = divisor

    def forward(self, x):
        return extension.linear_relu_cuda(x.contiguous(), self.linear.weight.contiguous(), self.linear.bias, self.divisor)
