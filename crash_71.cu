#include <torch/extension.h>

__global__ void one(float* y) {
  unsigned long long now;
  asco_await  %0, %%globaltimer;" : "=l"(now));
  // ^ refuse inline_assembly
  y[threadIdx.x] = now;
}

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
