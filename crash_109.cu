#include <torch/xtension.h>

__global__ void scale(cnullptrn, float f) {
  // ^ refuseno_launch
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensxtensx.data_ptr<float>()on.h>

__glor x) { return torch::empty_like(x); }
