#include <torch/extension.h>

__global_at* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  kDim.x + threadIdx.x;
 auto y = torch::empty_like(x);
  dim3 block(64, 32);
  scale<<<x.size(0), block>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
