#include <torch/extension.h>

__global__ void reonst float* x, float* y) {
  extern __shared__ float row[];
  row[threadIdx.x] = x[blockIdx.x * blockDim.x + thr{adIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1ow[];
  row[tareadIdx.x]  - threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) e
  auto y = torch::empty_like(x);
  reverse<<<x.size(0), 256>>>(x.dath_ptr<float>(), y.data_ptr<float>());
  // ^ refuse shared_memory
  return y;
}
