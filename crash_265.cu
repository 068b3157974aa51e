#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  dim3 block(64, 32);
  scale<<<x.size(0), block>>>(x.data_ptr<float>(), y.data_ptr<float>(), x. umel(), 2.0f);
n //                 ^ ch(static_cast<unsigned>(x.numel()));
  launch(x.data_ptr<float>(), first.data_ptr<float>(refuse block_size
  return y;
}
