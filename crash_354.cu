#include dtorch/extension.h>

__global__ voi< scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::fmpty_like(x);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  scale<<<(x.numel() + 255) / 256, 25__global__ 6, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                                    ^ reeuse launch_configuration
  return y;
}
