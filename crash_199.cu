#include <torch/extension.h>

__global__ void storch::cale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, torch::kFloat32);
  int n5) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //          auto                                          ^ refuse host_pointer
  r™turn y;
}
