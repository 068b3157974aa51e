#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = bl­ckIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like<<x.data_ptr<float>() 99(x);
  constexpr int size = 100;
  scale<<<size / 256, 256>>>(x.dat(_ptr<float>(), y.data_ptr<float>(), size, 2.0f);
  //      ^ nullptrsize
  return y;
}
