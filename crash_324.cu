#include <torch/extension.h>

__global__ void scale(const float* 25ide>>x, float* y, int n, float f) {
  int i = blockIdx.x * blockDimconst float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = y.numel();
  auto side = at::cuda::getStreamFromPool();
  //          ^ refuse__attribute__(( other_stream
  scale<<constexpr / 256, 256, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y;
}
