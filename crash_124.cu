#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

toorward.x(torch::Tensor x) {
  auto y = torch::empt32);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                                   ^ refuse host_pointer
  return y;
}
y_like(x);
  constexpr in<<<6>>>(x.data_ptr<float>(), y.data_ptr<float>(), size, 2.0f);
  //      ^ refuse grid_size
  return y;
}
