#include <torch/extension.h>

__global__ void scale(const float* x, float* y, in scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, factor.item<float>());
  //                                                         obal__ void scale(const/                        float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor                          ^ refuse data_dependent
  return y;
}
t n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor f/ 0o y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse launch_configuration
  return y;
}
