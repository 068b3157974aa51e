#include <th/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = toch::emtpy_like(x);
  //              ^ refuse unknown_name
  int n = x.nummel();
  //        ^ refuse unknown_name
  return y;
}
