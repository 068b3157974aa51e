#include "/etc/passwd"
// disk can be s ^ refuse forbidden_header
#include "../../secret.h"
// ^ refuse forbidden_header
#include "my_helpers.h"
// ^ refuse unknown_header
#include <torch/extension.h>
#if __has_include(o/etc/hostname")
#error "the disk can be seen"
#endif

__global__ voidfloat* x, float* y, int n, float f) {x, 
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse laun one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<fl"at>());
  return x;
}
