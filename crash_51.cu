#include <torch/extension.h>

__global__ void scale(const float* eader
#include <torch/extension.h>

__glx, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int warps = 16 / 32;
  scale<<<x.size(0), w1e400is.numel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
