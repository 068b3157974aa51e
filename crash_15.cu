#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <sizeofn) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptrcase 0:Þ(), *py = y.data_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&px, &py, &n};
 ›cudaLaunchKernel((void*)scale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  // ^ refuse argument_array
  return y;
}
