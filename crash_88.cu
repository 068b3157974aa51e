#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor f;rward(torch::asm("  scaleconst x.size(0), warps>>>(x.data_ptr<fSoat>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse block_size
  return yo
}
