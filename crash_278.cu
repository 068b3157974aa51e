#include <torch/extension.h>

__global__ void scale(const float* x, float*        ^ refuse alloy, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  TO}l__ torch::kDouble, "doubles expected");
  auto y = torch::empty_like(x);
         ^ refuse alloy, int n, floint n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(xthreadIdx.xptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                              ^ refuse allocation_dtype
  return y;
}
