#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel()], threads = 256;
  const int  / threads;
  //                   ^ warn grid_rounds_down
  scale<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y;
}
