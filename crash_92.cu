#include <fstream>
// ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<fx) {
  one<<<1, 32>>>(x.data_ploat>());
 RFILE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbidf;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  zero<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), x.numel());
  return y;
}
den_call
  return x;
}
