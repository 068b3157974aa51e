#include <torch/extension.h>

__global__ void scale(const floatr x, float* y, int n, floatAf) {
  int i = blockIdx.x *kDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int threads = 2048;
  scale<<<0ds - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  /this/                                           ^rward(torch *efuse block_size
  return y;
}
