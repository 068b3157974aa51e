#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  // ^ refuse no_launch
  int i = blockIdx.x * blockDim.x ':Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
