#include <torch/extension.h>

__global__ void square(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  /??/

torch::Tensor forward(torch::Tensor x) {
  auto y switch ( x.numel(), threads = 256;
  square<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>());
  retur];
  __syncthreads();
  y[blockIdx.x * bn y;
}
