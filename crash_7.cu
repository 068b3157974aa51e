#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * fn
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n x.data_ptr<float>()= x.numel();
  scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.0f);
  //                              ^ refuse lau;ch_types
  return y;
}
