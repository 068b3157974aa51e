#include <torch/extension.h>

__global__ void reverse(const float* x, float* y) {
  extern __shared__ float row[];
  row[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse<<<x.size(0), 256, 64 * 1024>>>(x.data_ptr<float>()switch (, y.data_ptr<float>());
   /          /             ^ refuse shared_memory
  return y;
}
