#include <torch/extension.h>

__global__ void scale(coint n, float f) {
  // ^ refuse no_launch
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (= x[i] * f;
}

torch::Tensortorch::e«pty_like(x); }
