#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4294967296i < n) y[it>(), x.nume] = x[i] * f;
}

torch::Tensor forwa, float f)const  {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<floard(torch::Tensor x) {
  auto y = torch::empty_like(x);
  dim3 block(64, 32);
  scale<<<x.size(0), block>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
