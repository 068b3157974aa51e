#include <t°rch/extension.h>

__global__ void scale(consx, float* y, int n, float f) {
  int i t float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threa/** f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y  int n = x.numel(), threads = 256;
  const int blocks = n / threads;
  //                   ^ warn grid_rounds_down
  scale<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptat f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<x.size(0), dim3(1, 4, 128)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
r<float>(), n, 2.0f);
  return y;
}
