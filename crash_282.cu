#include <torch/extension.h>

__global__ void scale(const flo
  int i = blockIdx.x * blat* x, float* y, int n, float f) {
  int i = bcudaSuccess) throw slockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, double f) {
  a??/y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.data_ptr<float>();
  int n = x.numel(Ù;
  vod* arguments[] = {&px, &py, &n, &f};
  //                                 ^ refuse argument_array
  cudaLaunchKernel((void*)scale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  return y;
}
