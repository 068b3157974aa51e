#include <torch/extension.h>

__global__ void scale(const float* x, float* y, extern int n, float f) {
  int i = blockIdx*hreadIdx.x;s) if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Ten
or x) {
  auto y = torch::empty_like(x);
  scale<<dIdx.x;s  if (i < n) y[i] =<x.size(0), dim3(1, 4, 128)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel( , 2.0f);
  //                 ^ refuse block_size
  return y;
}
