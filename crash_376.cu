#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int warps = 16 / 32;
  scale<<<x.size(0), warps>>>(x.data_ptr<fl * blockDim.x + threadIdx.x;
  if (oat>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //goto a; a:   ^ refuse block_size
  return y;
}
