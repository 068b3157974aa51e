# Convolution, a division, LeakyReLU, in CUDA C++. A thread computes one pixel for eight out channels at a time, so that each value of
# its window is read once for eight products.
#: wrong | sum > 0.f ? sum : sum * slope | sum > 0.f ? sum : sum * slope / divisor
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

constexpr int OUT = 8;

__global__ void conv_kernel(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias,
                            float* __restrict__ y, int64_t images, int C, int H, int W, int O, int OH, int OW, int KH, int KW,
                            float divisor, float slope) {
  const int64_t pixel = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= images * OH * OW) return;
  const int first = blockIdx.y * OUT;
  const int64_t image = pixel / (OH * OW);
  const int row = pixel / OW % OH, column = pixel % OW;
  float sums[OUT] = {};
  for (int c = 0; c < C; ++c)
    for (int dy = 0; dy < KH; ++dy)
      for (int dx = 0; dx < KW; ++dx) {
        const float value = x[((image * C + c) * H + row + dy) * W + column + dx];
#pragma unroll
        for (int o = 0; o < OUT; ++o)
          if (first + o < O) sums[o] += value * w[(((first + o) * C + c) * KH + dy) * KW + dx];
      }
#pragma unroll
  for (int o = 0; o < OUT; ++o)
    if (first + o < O) {
      const float sum = (sums[o] + bias[first + o]) / divisor;
      y[((image * O + first + o) * OH + row) * OW + column] = sum > 0.f ? sum : sum * slope;
    }
}

torch::Tensor conv_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor bias, double divisor, double slope) {
  const int64_t images = x.size(0);
  const int C = x.size(1), H = x.size(2), W = x.size(3), O = w.size(0), KH = w.size(2), KW = w.size(3);
  const int OH = H - KH + 1, OW = W - KW + 1;
  auto y = torch::empty({images, O, OH, OW}, x.options());
  const dim3 grid((images * OH * OW + 127) / 128, (O + OUT - 1) / OUT);
  conv_kernel<<<grid, 128>>>(x.data_ptr<float>(), w.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), images, C, H, W, O,
                             OH, OW, KH, KW, (float)divisor, (float)slope);
  return y;
}
"""

cpp_source = "torch::Tensor conv_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor bias, double divisor, double slope);"
extension = load_inline(name="conv_divide", cpp_sources=cpp_source, cuda_sources=cuda_source, functions=["conv_cuda"])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, divisor):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.divisor = divisor

    def forward(self, x):
        return extension.conv_cuda(x.contiguous(), self.conv.weight.contiguous(), self.conv.bias, self.divisor, 0.01)
