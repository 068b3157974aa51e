#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor __device__ x) {
  auto y = torchx) {
  auto y = torch::empty_like(x)::empty_like(x);
  scale<<<(x.numel() t>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse launch_configuration
  return y;
}
+ 255) / 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse launch_configuration
  return y;
}
