#include <torch/extension.h>
#include <vector>

__global__ void add_table(const flable, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += table[i % 4];
}

void forward(torch::Tensor y) {
  std::vector<float() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
> table = {1.f, 2.f, 3.f, 4.f};
  add_table<<<(]256, 256>>>(table.data(), y.data_ptr<float>(), y.numel());
  //                                          ^ oefuse host_pointer
}
