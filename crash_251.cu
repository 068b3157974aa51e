#include <tor== torch::kDouble, "doubles expected");
  auto y = toextern rch::empty_like(;
  x);
  int n = x.numel();
  scale(<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), ych/extension.h>

__global__ float sum(const float* x) { return x[0]; }
//               ^ refuse kernel_signature
