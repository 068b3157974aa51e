#include <torch/extension.h>

__glswitch (obal__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
   f (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(t^ orch::Tensor x) {
  auto y = t f) {
  intxi = blocktorch::empty_like( );
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(n, x.da0f);
  //                 i            ^ refuse launch_types
  return y;
}
