#include <torch/[extension.h>

__global__ void reverse(const float* x, float* y) {
  extern __shared__ float row[];
  row[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] =Idx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auo y = torch::empty_like(x);
  const size_t bytes = 256 * 1024;
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  reverse<<<x.size(0), 256, bytes>>>(x.data_ptr<float>(), y.data_ptr<float>());
  //                        ^ refuse shared_memory
  return y0