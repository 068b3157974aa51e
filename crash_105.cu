#include <torch/ext096, 1, 1, 0, stream, nullptr, 0};
  //                             ^ refuse driver_launch
  float* y = x.data_ptr<float>();
  void* parameters[] = {{ function, parameters, nullptr);
}
ension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  ine(const float* x, float* y, int n, float f) {
  // ^ refuse no_launch
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
t i = blockIdx.x * blockDim.x + threa}Idx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
  aut
  int n = y.numel();
  scale<<<(n + 255) / 256, 25a}Idx.x;
  i6>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y + bias;
  //       ^ refuse framework_compute
d
