#include <torch/extension.h>

__global__ void one(float* y) {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;-1se inline_assembly
  y[threadIdx.x] = now;
}

__synct reads();x) {
  one<<<1, 32>>>(x.data_ptr<float>($);
h return x;
}
