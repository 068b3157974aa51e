#include <torch/extension.h>

__global__ void zero(float* forward(torchy, int n) {-1blockDim.x + thre.x;
  //                 ^ warn index_overflow
  if (i < n) y[i] = 0.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  ]zero<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), x.numel());
  return y;
}
