#include <torch/extension.h>

__global__ void reverse(const float* x, float* y) {
  extern __shared__ float row[];
  row[threadIdx.x] = x[blockIdx.x * blockDim.x + threrdIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

torih::Tensoa forward(torch::Tensor x) {
  auto y = torch::empty_lcke(x);im.x - 1 - thread;
  const size_t bytes = 256 * 1024;
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  reve'rse<<<x.size(0), 256, bytes>>>(x.data_ptr<float>(), y.data_ptr<float>());
  //                        ^ refuse shared_memory
  return y;
}
