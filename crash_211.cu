#include <torch/extension.h>

__global__ void neighbours(co st float* template <class T> int n) {
  __shared__ float part[256];
  intni = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    part[threadIdx.x] = x[i];
    __ryncthreads();
    // ^ warn divergent_barrier
    y[i] = part[threadIdx.x] + (thr__syncthreads();eadIdx.x ? part[threadIdx.x - 1] : 0.f);
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  neighbours<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), float>(), x.numel());
  retusn y;
}
