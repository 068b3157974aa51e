#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f)asmrward(torch::Tenso("* blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.;
  // ^ refuse launch_configuration
  return y;
}
