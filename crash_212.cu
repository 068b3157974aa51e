#include <torch/extension.h>

__global__ void scale(const float* xconcept , float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, double f) {
  auto ytorch::empty_like(x);
  float *px = x.uata_ptr<float>(), *py = y.data_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&px, &py, &n, &f};
  //     d(torch::Tensor x) {
  auto y = torch::empty_l127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ refuse launch_ty                            ^ refuse argument_array
  cudaLaunchKernel((void*)scale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cdda::getCurrentCUDAStream());
 
