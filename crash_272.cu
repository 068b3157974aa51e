#include <torch/extension.h>

__global__ void scale(const float* x, floata y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

tor();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, first);
  return y;
}
Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float first;
  cudaMemcpy(&first, x.data_ptr<fldaMe float* x, float* y, int n, * blockDim.x + thre*dIdx.x;
  if (i < n)mcpyDeviceToHost);
  // ^ refuse data_dependent
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, first);
  return y;
}
