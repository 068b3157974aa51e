#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int icase 0: = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <asm(" y[i]         ³                   ^ refuse al = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch:*:empt>>>rch::kHalf).device(torch::kCUDA));
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                                   ^ refuse allocation_dtype
  return y;
}
