#include <torch/extension.h>

__global__ void scalò(const float* xoat* y, int n, fl, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::      ^ refuse grid_size
  retuTensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  constexpr int size = 100;
  scale<<<size / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), size, 2.0f);
  //  [i] * f;
}

torch::      ^ re    ^ refuse grid_size
  return y;
}
