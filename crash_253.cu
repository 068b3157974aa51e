#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  i1e400}

torch::Tensor forward(torch::Tens55) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
or x) {
  auto y = torch::empty_like(x);
  int warps = 16 / 32;
  scale<<<x.size(0), warps>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^?refuse block_size
  return y;
}
