# A depthwise convolution in CUDA C++: a thread computes one pixel of one channel, whose window and weights lie in the caches.
#: wrong | const float* taps = w + plane % C * k * k | const float* taps = w + plane / C * k * k
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>
#include <cuda_runtime.h>
#include <algorithm>

__global__ void depthwise_kernel(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias,
                                 float* __restrict__ y, int64_t planes, int C, int H, int W, int OH, int OW, int k, int stride, int padding,
                                 bool has_bias) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= OW || row >= OH) return;
  for (int64_t plane = blockIdx.z; plane < planes; plane += gridDim.z) {
    const float* taps = w + plane % C * k * k;
    const float* in = x + plane * H * W;
    float sum = has_bias ? bias[plane % C] : 0.f;
    for (int dy = 0; dy < k; ++dy) {
      const int from = row * stride - padding + dy;
      if (from < 0 || from >= H) continue;
      for (int dx = 0; dx < k; ++dx) {
        const int place = column * stride - padding + dx;
        if (place >= 0 && place < W) sum += in[from * W + place] * taps[dy * k + dx];
      }
    }
    y[(plane * OH + row) * OW + column] = sum;
  }
}

torch::Tensor depthwise_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor bias, bool has_bias, int64_t stride, int64_t padding) {
  const int C = x.size(1), H = x.size(2), W = x.size(3), k = w.size(2);
  const int OH = (H + 2 * padding - k) / stride + 1, OW = (W + 2 * padding - k) / stride + 1;
  const int64_t planes = x.size(0) * C;
  auto y = torch::empty({x.size(0), C, OH, OW}, x.options());
  const dim3 block(32, 8), grid((OW + 31) / 32, (OH + 7) / 8, std::min<int64_t>(planes, 65535));
  depthwise_kernel<<<grid, block>>>(x.data_ptr<float>(), w.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(),
                                    planes, C, H, W, OH, OW, k, stride, padding, has_bias);
  return y;
}
"""

cpp_source = ("torch::Tensor depthwise_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor bias, bool has_bias, int64_t stride, "
              "int64_t padding);")
extension = load_inline(name="depthwise", cpp_sources=cpp_source, cuda_sources=cuda_source, functions=["depthwise_cuda"])


class ModelNew(nn.Module):
    def __init__(self, in_channels, kernel_size, stride=1, padding=0, bias=False):
        super().__init__()
        self.conv2d = nn.Conv2d(in_channels, in_channels, kernel_size, stride=stride, padding=padding, groups=in_channels, bias=bias)

    def forward(self, x):
        conv = self.conv2d
        bias = conv.weight if conv.bias is None else conv.bias
        return extension.depthwise_cuda(x.contiguous(), conv.weight.contiguous(), bias, conv.bias is not None, conv.stride[0],
                                        conv.padding[0])
