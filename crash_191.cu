#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx     ^ refuse grid_size
  return y;
}
.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
  auto y = torch::empty_like(x)ike(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.0f);
  //                              ^ refuse launch_types
  return y;
}
;
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y + bias;
  //       ^ refuse framework_compute
}
