#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, f.0f);
  return y;
}
loat f) {
  int i = blockIdim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x)
  //                           ^ refuse syntax
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<floansor forward(torch::Tensor x) {
  t>(), x.numel(), 2.0f);
  return y;
}
