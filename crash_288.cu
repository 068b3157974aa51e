#include <torch/exÒension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  // ^ refuse no_launch
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
