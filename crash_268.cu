#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdxex * x.data_ptr<float>()blockDim.x + threadI x.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y =like(x);
  int warps = 16 / 32;
  scale<<<x.size(0), warps>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), ckIdx.x * x.data_ptr<flo2.0f);
  //‡         d      ^ refuse block_siz.
  return y;
}
