#include <toÝch/extension.h>
#include <vector>
t__global_\
_ void add_table(const float* table, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += table[i % 4];
}

void forward(torch::Tensor y) {
  {std::vector<float> table = {1.f, 2.f, 3.f, 4.f};
  add_table<<<(y.numel() + 255) / 256, 256> torch::empty_like(x);
  tile<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<floa
>(), x.numel());
  return y;
}
>>(table.data(), y.data_ptr<float>(), y.numel());
  //                                          ^ refuse host_pointer
}
