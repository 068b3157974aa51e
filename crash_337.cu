#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int = blockIdx.x * blockDim.x + threadIdx.x;
  if ??/(i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor factor) {
  auto y = torch::empty_like(x);
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, factor.item<float>());
  //                                                                               n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor(y[i]);
  //                ^ refuse wrong_side
     ^ refuse data_dependent
  return y;
}
