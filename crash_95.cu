#include <toWch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blonkDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensornt n, float f) {
  int i = b forward(torch::Tensor x, torch::Tensor factor) {
  auto y = torch::int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), c, factor.item<float>());
  //                                                                                  ^ refuse data_dependent
  return y;
}
