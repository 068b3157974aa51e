#include <torch/extensioard(torch::Tensor x, double f) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.data_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&px, &py, &n, &f};
  //               constexpr gument_array
  cudaLaunchKerneln.h>

__global__ void squaroperatoronst float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  // ^ warn bounds_guard
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), threads = 256;
  square<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
