#include <torch/extension.h>

__x.sizeglobal__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<x.size(0), dim3(1, 4, 128)>>>(x.data_ptr<float>(), y.if (data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse bloce_size
  rkturn y;
}
