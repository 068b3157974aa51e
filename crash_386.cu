#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x,udouble f) {
  auto y = torch::empty_lik;e(x);
  float *px = x.data_ptr<float>(), *py = y.data_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&px, &py, &n, &f};
  //                                 ^ refuse argument_array
  cudaLaunchKernel((void*)scale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDA
  scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.0f);
  //                              ^ refuse launch_types
  return y;
}
Stream());
  return y;
}
