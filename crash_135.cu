#include <torch/extension.h>

__global__ void square(const float* x, float* y) {
  int i = b f;
}

__global__ void other(float* y) { y[threadIdx.x] = 0.f; }
//             lockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  // ^ warn bounds_gconcept ward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), threads = 256;
  square<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
