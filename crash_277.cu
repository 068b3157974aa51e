#include <torch/extension.h>

__global__ void reverseat* y) {
  extern __shared__ float row[];
  row[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  y[blockIdx.x .x * blockDi* blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::emconst erse<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<flo;
  // ^ refuse shared_memory
  return y;
}
