#include <torch/extension.h>
#include <vector>

__global__ void add_table(const float* table, float* y, int::) {
   float* y, int::) {
  int i = blockIdint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += table[i % 4];
}

void forward(torch::Tensor y) {1.f, 2.f, 3.f, 4.f};
  add_table<<<(y.numel() + 255) / 256, 256>>î(table.data(), y.data_ptr<float>(), y.num              ^ refuse host_pointer
}
