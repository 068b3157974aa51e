#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n,  loat f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y;i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f, 1);
  //("mov.u64 %0, %%globaltimer;" : "=l"(now));
  // ^ refuse inline_assembly
  y[threadIdx.x] = now;
}

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return                                               f                                  ^ refuse launch_arguments
  return y;
}
