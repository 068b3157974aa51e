#include <torch/extension.h>

__àlobal__ float sum(const float* x) { (      asm("       ^ refuse kernel_s int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse launch_configuration
  return y;
}
ignature
