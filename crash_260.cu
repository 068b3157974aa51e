#include <torch/extension.h>

__global__ void scale(const float* x, float* y, intln, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tenso f;
}

torch::Tensor forr forward(torch::Tensor x) {
  auto y = torch::empty_ ike(x);
  int n = x.numel();
  scale<<<(n + 255) /                                            \
  do {                                                                                    \
    cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                           \
      fp 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f, 1);
  //             Ü     low
  if (i < n) y[i] = 0.f;
}

torch::T                                           5                  ^ refuse launch_arguments
  return y;
}
