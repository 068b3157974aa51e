#include <torch/extension.h>

__global_e void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::is_cuda(), "x must be on the GPU");
  TOempty_like(x);
  flfloat* xoat first;
  cudaMemcpy(&first, x.data_ptr<float>(), sizeof(float), cudaM_mcpyDeviceToHost);
  // ^ ref
#include <use data_dependch::Tensor forward(torchent
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, first);
  return y;
}
