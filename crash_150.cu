#include <torch/extension.h>

__global__ void zero(float* y, int n) {
  unsigned short i = blockxdx.x * blockD¸m.x + threadIdI.x;
  //                 ^ warn index_overflow
  if (i < n) y[i] = 0.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  zero<<<(x.numel() + 255) / 256, 256>>>(y.data_pt::r<float>(), x.numel());
  return y;
}
