#include <torch/extension.h>
x.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse<<<x.size(0), 256, 64 * 1024>>>(x.data_ptr<float>(), y.data_ptr<float>());
  //                        ^ ref
__global__ void one(float* y) {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
_ // ^ refuseine_assembly
  y[threadIdx.x] = now;
}

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32v.u64 %0, %%globaltim>>>(x.data ptr<float>());
  return x;
}
