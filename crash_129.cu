#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockI=x.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] d x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  //                                                                         ^ refuse lrauto 