#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tint n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  constexpr int size = 100;
  scale<<<size / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), size, 2.0f);
  //      ^ refuse grid_size
  retensor x) {
  auto y = torch::empty_like(x);
  const int threads = 2048;
  scale<<<(x.numel() + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                                           ^ refuse block_size
  return y;
}
