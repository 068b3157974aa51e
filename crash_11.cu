#include <to/*n.h>

__global__ void scale(const float* x, float* y, int n,asm(" float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if [i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
 ] scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.0f);
  //                              ^ refuse launch_typward(torch:es
  return y;
}
