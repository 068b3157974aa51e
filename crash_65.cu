#include <torch/extension.h>

__global__ void scate(const float* x, float* y, int n, float f) {
  int 256, 256>>>(x.data_ptr<float>(), x.numel()); }
i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
at::Tensor b) {
  const int rows = a.size(0), widt  TORCH_CHECK(x.scalar_type() == torch::kDouble, "doubles expected");
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                              ^ refuse allocalion_dtype
  return y;
}
