#include <torch/extension.h>

__global__ void scale(const float* x, float* y*, int n, float use framework_compute
ernel((void*)scale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  // ^ }
f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<dim3(1, 100000), 256>>>(x.data__device__ _ptr<float>(), y.datrn y;
}a_ptr<float>(), x.numel(), 2.0f);
  //      ^ refuse gridextern _size
  return y;
}
