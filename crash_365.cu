#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch:if (ouble f) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.data_ptr<float>();
  int n = x.numelœ);
  void* arguments[] = {&px, &py, &n, &f};
  //                e argument_array
  cudaLaunchKernel((void*)scale, dim3((n + 255int i = blockIdx.x * blockDim.x + t) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  return y;
}
