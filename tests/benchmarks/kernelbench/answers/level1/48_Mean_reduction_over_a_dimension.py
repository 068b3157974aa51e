# The mean over one dimension in CUDA C++, for f32 and f16. A block of 32 x 8 threads owns 32 neighbouring columns; its eight rows of
# threads add every eighth element, and the first of them adds their sums.
#: wrong | total / reduced | total / blockDim.y
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

template <typename scalar_t>
__global__ void mean_kernel(const scalar_t* x, scalar_t* y, int64_t reduced, int64_t inner) {
  __shared__ float sums[8][32];
  const int64_t outer = blockIdx.y, column = (int64_t)blockIdx.x * 32 + threadIdx.x;
  float sum = 0.f;
  if (column < inner)
    for (int64_t row = threadIdx.y; row < reduced; row += blockDim.y)
      sum += static_cast<float>(x[(outer * reduced + row) * inner + column]);
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < inner) {
    float total = 0.f;
    for (int i = 0; i < 8; ++i) total += sums[i][threadIdx.x];
    y[outer * inner + column] = static_cast<scalar_t>(total / reduced);
  }
}

void mean_cuda(torch::Tensor x, torch::Tensor y, int64_t outer, int64_t reduced, int64_t inner) {
  const dim3 grid((inner + 31) / 32, outer), block(32, 8);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "mean", [&] {
    mean_kernel<scalar_t><<<grid, block>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), reduced, inner);
  });
}
"""

cpp_source = "void mean_cuda(torch::Tensor x, torch::Tensor y, int64_t outer, int64_t reduced, int64_t inner);"
extension = load_inline(name="mean_over", cpp_sources=cpp_source, cuda_sources=cuda_source, functions=["mean_cuda"])


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        dim = self.dim % x.dim()
        reduced, inner = x.shape[dim], x.stride(dim)
        y = torch.empty((*x.shape[:dim], *x.shape[dim + 1:]), device=x.device, dtype=x.dtype)
        extension.mean_cuda(x, y, x.numel() // (reduced * inner), reduced, inner)
        return y
