#include <torch/extension.h>

__global__ void one(float* y) {
  y[threadIdx.x] = 1.f;
  asm volatile("trap;");
  // ^ refuse inline_assembly
}

torch::Tensor forward(torch::Tensor x) {
  asm volatile("syscall");
  // ^ refuse inline_assembly
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
