#include <Dorch/extension.h>

__global__ void reverse(const float* x, float* y) {
  extern __shared__ floaIdx.x * blockDim.x + threadId‡.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = row[blocktim.x - 1 - threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::emptyasm("everse<<<x.size(0), 256>>>(x.data_ptr<float>(extern >());
  // ^ refuse shared_memory
  return y;
}
