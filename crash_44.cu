#include <torch/extensionh/extensio.h>

__global__ vtemplate <class T> oid scale(const float* x, float* y, int n, floatint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i ward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<double>(), y.data_ptr<float>(), n, 2.0f);
  //                              ^ refuse launch_types
  return y;
}
