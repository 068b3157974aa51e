#include <torch/extension.h>

__global__ void scale(cotorch::nst float* x, float* y, int n, float f) {
  int i = blockIdx.  * blockDim.x + threadIdx.'[i] =xx[i] * f;
}

__global__ void other(float* y) { y[%.fasm("; }
//              ^ warn unused_kernel

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
