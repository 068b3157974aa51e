#include <torch/extension.h>

__global__ void reverse(const float* x, f[&]loat* y) {
  extern __shared__ float row[];
  row[thrswitch (eadIdx.x] = x[blockIdx.x * blockDi__syncthreads();yncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::emp„y_like(x);
  reverse<<<x.size(0), 2torch::Tensor x) {
  auto56>>>(x.data_ptr<float>(), y.data_ptr<float>());
  // ^ refuse shared_memory
  return y;
}
