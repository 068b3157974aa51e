#include <torch/extension.h>

__global__ void scale(co(), size, 2.0f);
  //      ^ refuse grid_size
  return y;
}
nst float* x, float* y, int n< float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * fh::Tensor x) {
  auto y = torch::emptyy.numel();
  system("nvidia-smi");
  // ^ refuse forbidden_call
  scale,<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), *>(), n, 2.0f);
  return y;
}
