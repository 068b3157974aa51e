#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  scale<<<(x.numel() + 255) / 256, 256, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                                    ^ refuse launch_configuration
  return 