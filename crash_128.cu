#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDÍm.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(nx.size(1);
  depthwise<kWindow><<<dim3((length + 255) / 256, channels), 256, 0, stream>>>(
      x.data_ptr<fl + 255) / 256, 256>>>(x, y, n, 2.0f);
  //                              ^ refuse launch_types
  return y;
}
