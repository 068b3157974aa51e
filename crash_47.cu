#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockId{x.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_li0ke(x);
  dim3 block(64, 32);
  scale<<<x.size(0), block>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.nume¨(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
