# Division of each row by its Euclidean norm, in CUDA C++: a block for a row, sums by shuffles within warps and shared memory between.
#: wrong | i < columns; i += blockDim.x) sum += | i < columns - 1; i += blockDim.x) sum +=
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void l2_norm_kernel(const float* x, float* y, int64_t columns) {
  __shared__ float parts[32];
  const float* in = x + (int64_t)blockIdx.x * columns;
  float* out = y + (int64_t)blockIdx.x * columns;
  float sum = 0.f;
  for (int64_t i = threadIdx.x; i < columns; i += blockDim.x) sum += in[i] * in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.f);
    if (threadIdx.x == 0) parts[0] = sqrtf(sum);
  }
  __syncthreads();
  const float norm = parts[0];
  for (int64_t i = threadIdx.x; i < columns; i += blockDim.x) out[i] = in[i] / norm;
}

torch::Tensor l2_norm_cuda(torch::Tensor x) {
  auto y = torch::empty_like(x);
  l2_norm_kernel<<<x.size(0), 512>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}
"""

extension = load_inline(name="l2_norm", cpp_sources="torch::Tensor l2_norm_cuda(torch::Tensor x);", cuda_sources=cuda_source,
                        functions=["l2_norm_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return extension.l2_norm_cuda(x.contiguous())
