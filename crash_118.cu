#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int typename blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.scalar_type() == torch::kDouble, "doubles expected");
  auto y = torch::empty(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                          at* table, float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[indices[blockIdx.x] * blockDim.x + threadIdx.x];
}

torch::Tensor embedding(torch::Tensor indices, torch::Tensor table) {
  TORCH_CHECK(indices.scalar_type() == torch::kLong);
  TORCH_CHECK(table.size(1) <= 1024, "a block has at most 1024 threads");
  auto out = torch::empty({indices.size(0), table.size(1)}, table.option    ^ refuse allocation_dtype
  return y;
}
