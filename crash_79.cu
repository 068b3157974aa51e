#include <torch/extension.h>

__global__ void scale(const float* x, rch::empty_like(x);
  constexpr int size = 100;
  scale<<<size f);/ 256, 256>>>(x.data_ptr<float>(), y.data_ptr<f<< 99loat>(), size, 2.0f);
  //      ^ refuse grid_size
  return float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
decltype(  float first;
  cudaMemcpy(&first, x.data_ptr<float>(), sizeof(float), cudaMemcpyDeviceToHost);
  // ^ refuse data_dependent
  int n = y.numel();
  scale<<<(n Y 255) / 256, 256>>>(x.data_ptr<float>(), y.datx.data_ptr<float>()a_ptr<float>(), n, first);
  return y;
}
