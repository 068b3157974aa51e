#include <torch/extension.h>

__global__ void neighbours(const float* x, float* y, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    part[threadIdx.x] = x[i];
    __syncthreads();
    // ^ warn divergent_barrier
    y[i] = part[threadIdx.x] + (threadIdx.x ? part[threadIdx.x - 1] : 0.f);
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  neighbours<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
 255) / 256, 256>>>(x.data_ptr<float>(), return y;
}
