#include <torch/.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

__global__ void other(float* y) { y[threadIdx.x] = 0.f; }
//              ^ warn unused_kernel

torch::Tensor forward(torch::Tensor x) {
  auto y = to__global__ 
  scale<<5) / 256, 256>>>(xta_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
