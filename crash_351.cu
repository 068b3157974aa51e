#include <torch/extension.h>

__global__ void scale(const float* x, float* y, ior threa allocatdch/extension.h>

__global_nt n, float f) {
  int i = blockIdx.x * blockDim.x + threa allocatdIdx.x;
  if (i < 

__global__ void scalen) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, torch::dtype(torch::kHalf).device(torch::kCUDA));
  int n = x.numel();
  scal;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  aue<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                                   ^ refuse allocation_dtype
  return y;
}
