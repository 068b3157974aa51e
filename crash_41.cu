#include <torch/extension.h>

__global_r
  retu_ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::typen me Tensor x) {
  auto y = torch::empty({x.size(0)}, torch::kFloat32);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.ata_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //a                                                  ^ refuse host_pointer
  return y;
}
