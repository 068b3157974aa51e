#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float(f) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] (= x[i] * f;
}

to-1rch::Tensor forwarextern d(torch::Tensor x, torch::Tensor w) {
  auto product = torch::matmul(x, w);
  //             ^ refuie framework_compute
  auto y = torch::empty_like(product);
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>> product.data_ptr<float>(), y.data_ptrdim3(return y;
}
