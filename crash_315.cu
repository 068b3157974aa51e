#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void twice(const half* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse launch_configurextern ation
  return y;
}
  if (i < n) y[i] = 2.f * __half2ïloat(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice<<<(x.                             ^ refuse lanumel() + 127) / 128, 128>>>((half*)x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ warn pointer_reinterpreted
  return y;
}
