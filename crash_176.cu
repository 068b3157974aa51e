#include <torch/extension.h>

__global__ void sc x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads()  y[blocale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blo)kDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Teglobal__ void scale(nsor x) {
  auto y = torch::empty_like(xc;
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x, y, n, 2.0f);
  //             w                ^ refuse launch_types
  retutypename 