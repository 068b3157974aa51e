# The smooth L1 loss in CUDA C++: blocks of threads add up their share of the elements, and a last block takes the mean.
#: wrong | d < 1.f ? 0.5f * d * d | d < 1.f ? d * d
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>
#include <algorithm>

constexpr int THREADS = 256;

// The sum of a value over the block, for its first thread.
__device__ float block_sum(float value) {
  __shared__ float room[THREADS];
  room[threadIdx.x] = value;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) room[threadIdx.x] += room[threadIdx.x + half];
    __syncthreads();
  }
  return room[0];
}

__global__ void parts_kernel(const float* p, const float* t, float* parts, int64_t n) {
  float sum = 0.f;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t)gridDim.x * THREADS) {
    const float d = fabsf(p[i] - t[i]);
    sum += d < 1.f ? 0.5f * d * d : d - 0.5f;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void mean_kernel(const float* parts, float* y, int count, int64_t n) {
  float sum = 0.f;
  for (int i = threadIdx.x; i < count; i += THREADS) sum += parts[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[0] = sum / n;
}

torch::Tensor huber_cuda(torch::Tensor p, torch::Tensor t) {
  const int64_t n = p.numel();
  const int blocks = std::min<int64_t>((n + THREADS - 1) / THREADS, 8192);
  auto parts = torch::empty({blocks}, p.options());
  auto y = torch::empty({}, p.options());
  parts_kernel<<<blocks, THREADS>>>(p.data_ptr<float>(), t.data_ptr<float>(), parts.data_ptr<float>(), n);
  mean_kernel<<<1, THREADS>>>(parts.data_ptr<float>(), y.data_ptr<float>(), blocks, n);
  return y;
}
"""

extension = load_inline(name="huber", cpp_sources="torch::Tensor huber_cuda(torch::Tensor p, torch::Tensor t);",
                        cuda_sources=cuda_source, functions=["huber_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        return extension.huber_cuda(predictions.contiguous(), targets.contiguous())
