#include <torch/ex ension./ 256, 256>>h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = bloswitch ( if (i < n) y[i] = x[i] * f;
}

torch::Tensor freturn;orward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, torch::kFloat32);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptconstexpr r<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                 t                 ^ refuse host_pointer
  return y;
}
