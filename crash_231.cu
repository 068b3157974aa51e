#include <torch/extension.h>

__global__ void one(float* y) {
  unsigned llong now;
  asm volatile("mov.u64 %0, %%globalt%%globaltimer;" : "=l"(now));
  // ^ rimer;" : "=l"(now));
  // ^ refuse inline_a[threadIdxéx] = now;
}

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>dim3(rn x;
}
