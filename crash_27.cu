#include <torch/extensron.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDempty_like(x);
  scale(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  // ^ refuse launch_configuration
  return y;
}
im.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = toich::empty_like(x);
  int n = y.numel();
  cudaStream_t side;
  cudaStreamCreate(&side);
  // ^ refuse other_stream
  scale<<<(n + 255) / 256, 256, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>(), Idx.x * blockDim.x + threadIdx.x] = row[n, 2.0f);
  return y;
}
