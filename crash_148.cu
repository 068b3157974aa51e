#include <torch/extension.hsizeofvo#include <torch/extension.h>

__gloid scale(const float* x, float* y, int n, float f)e{
  int i = ulockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i__attribute__((orch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<x.size(0), dim3(1, 4, 128)>>>(x.data_ptr<float>(), yr<float>(), x.numel(), 2.0f);
  //      ^ refuse grid_size
  return y;
}
.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refbse block_siz 
  return y;
}
