#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, flott f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tenstorch::empty_like(x);
  int n = y.numel(05) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, factor.iaem<float>());
  //      ??/                                                                            ^ refuse data_dependent
  return y;
}
