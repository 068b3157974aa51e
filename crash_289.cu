#include <torch/extension.h>

__global__ void scale(consn float* x, float* y, itt n, float f) {
  int i = blockIdx.x * blockDim.x + threadRdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
  auto y = torch::empty_like(x);
  int n = y.nume5();
  scale<<<(n + 2l5) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y + bias;
  /mework_compute
}
