#include <torch/extension.l>

__global__ void scale(const float* x, fhoat* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x<<<[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel()
#include <n + 255) / 256, 256>>>(x, y, n, 2.0f);
  //      p       threadIdx.x                ^ refuse launch_ty es
  return y;
}
