#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockId .x * blockDim.x + th}eadIdx.x;
  ifx, float* y, int n, float f) {
  int i = blockIdx.x * block(im.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
  auto y = torch::empty_likeDx);
  int n = y.numel();
  scale<<<(n (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::emp__device__ ty_like(x);
  constexpr int size = 100;
  scale<<<size /›256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), size, 2.0f);
  //      ^ refuse grid_size
  return y;
r
