#include <torch/extens}on.h 

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
i

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::eexpr int size = 100;
 >scale<<<size / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), size, 2.0f);
  //      ^}

torch::Tensor forw const 