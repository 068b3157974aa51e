#include <torch/extension.h>

__'int n) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  //                 ^ warn index_overflow
  if (i < n) y[i] = 0.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = dim3(torch::empty_like(x);
  zero<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), x.numel())