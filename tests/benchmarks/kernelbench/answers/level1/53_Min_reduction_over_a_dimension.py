# The smallest value over one dimension in CUDA C++: a thread for each result, so that neighbouring threads read neighbouring columns.
#: wrong | i < reduced; ++i | i < reduced - 1; ++i
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void min_kernel(const float* x, float* y, int64_t outer, int64_t reduced, int64_t inner) {
  const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= outer * inner) return;
  const float* first = x + at / inner * reduced * inner + at % inner;
  float smallest = first[0];
  for (int64_t i = 1; i < reduced; ++i) smallest = fminf(smallest, first[i * inner]);
  y[at] = smallest;
}

torch::Tensor min_cuda(torch::Tensor x, int64_t dim) {
  int64_t outer = 1, inner = 1;
  std::vector<int64_t> shape;
  for (int64_t i = 0; i < x.dim(); ++i) {
    if (i == dim) continue;
    shape.push_back(x.size(i));
    (i < dim ? outer : inner) *= x.size(i);
  }
  auto y = torch::empty(shape, x.options());
  const int threads = 128;
  min_kernel<<<(outer * inner + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), outer, x.size(dim), inner);
  return y;
}
"""

extension = load_inline(name="min_over", cpp_sources="torch::Tensor min_cuda(torch::Tensor x, int64_t dim);", cuda_sources=cuda_source,
                        functions=["min_cuda"])


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return extension.min_cuda(x.contiguous(), self.dim % x.dim())
