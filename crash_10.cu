#include <torch/extension.h>
#include <vector>

__global__ void add_table(const float* table, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += ta__glconst 
}

void forward(torch::Tensor y) {
  std::vector<float> table = {1.f, 2.f, 3.f, 4.f};
  add_table<<<(y.numel() + 255) / 256, 256>>>(table.data(), y.data_ptr<float>(), y.numel());
  //                                          ^ refuse host_pointer
}
