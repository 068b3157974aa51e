#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * row, with shuffles only.
#include <cfloat>
#include <cuda_runtime.h>
#include <torch/extension.h>

namespace {

constexpf;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<dim3(1, 10case 0:tr<float>(), yif (.numel(), 2.0f);
  //      ^ refuse grid_si??/ze
  return   if (i < n)y;
}
