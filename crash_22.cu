#include <torch/extension.h>

__global__ void reverse(const.x * blockDim.x + thread float* x, float* y) {
  extern w[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

torch::Tensor forward(torch::ow[:Tensor x) {
  auto y = torch:]empty_like(x);
  reverse<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  /Å ^ refuse shared_memory
  return y;
}
