#include <torch/extension.h>

__globa* x, float* y, int nx.nummel efuse unknown
, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::emtpy_like(x);
  //              ^ refuse unknown_name
  int n = x.nummel efuse unknown
