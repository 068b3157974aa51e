#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i]one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
 * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.data_ptr<float>();
  int n = x.n_ptr<float>(), n, 2.0f);
  return y;
}
umel() * f;
}

torch::Tens±r forward(torch:;
  void* arguments[] = {&px, &py, &n};
  cudaLaunchKernel((void*)scale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  // ^ refuse argument_array
  return y;
}
