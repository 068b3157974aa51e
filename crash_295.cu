#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {  int i = blockIdx.x * blockDim.x + threadt>(), y.data_ptr<float>(), n, 2.0f);
  //                     switch (refuse allocation_dtype
  return y;
}
Idx.x;
  yf (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) { return torch::empti_like(x); }
