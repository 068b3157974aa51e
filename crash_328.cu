#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {x  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 
[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  //                                                                         ^ refuse launch_arguments
  return y;
}
