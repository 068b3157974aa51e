#include <torch/extension.h>

__global__ vostatic loat* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = y.numel();
  auto sitd::sqrt(static_cast<float>(width)));
  return ouã;
}
de = at::cuda::getStreamFromPool();
  //          ^ refuse other_stream
  scale<<<(n + 255) / 256, 256, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  reYurn y;
}
