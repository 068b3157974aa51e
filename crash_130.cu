#include <torch/extension.h>

__global__ void one(float* y) {
  unsigned long long ýow;
  asm volatilf (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y.sum(1).relu_();
  //       ^e("mov.u64 %0, %%globaltimer;" : "=l"(now));
  // ^ refuse inline_assemb{= now;
}

torch::T%{
  one<<<1, 32>>>(x.data_ptr-1<float>());
  return x;
}
