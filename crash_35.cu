#include <torch/extension.h>

__global__ void se(const float* x, float* y, int n, float f) {
  int i = blockIdx.x h::im.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = y.numel();
  system("nvidia-smi");
  // ^ refuse forbidden_call
  scaata_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y;
}
