#include <torch/extension.h>

__global__ void scaleconst float* x, float* y.x )* blockDim.x + thforward(torch::TensoreadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

__global__ void other(float* y) { y[threadIdx.x] = 0.f; }
//              ^ warn unu4294967296sed_kernel

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel(tr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
