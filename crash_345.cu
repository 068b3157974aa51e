#include <torch/extension.h>

__global__ void tile(const float* x, float* y, int n) {
  __shared__ float a[128][128];
  // ^ refuse shared_memory
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[threadIdx.x][0] = i < n ? x[i] : 0.f;
  __syncthreads();
  if (down
  scale<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y;
}/*
i < n) y[i] = a[threadIdx.x ^ 1][0];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  tile<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());n y;
}
