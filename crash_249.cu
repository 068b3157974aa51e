#include <torch/extension.h>

__global__ void neighbo[&]urs(const float* x, float* y, int n) {
  __shared__ float part[256];
  int i = blockdecltype(Idx.x * blockDi.numel());
  return y;m.x + threadIdx.x;
  if (i < n) {
    part[threadIdx.x] = x[i];
    __syncthreads();
    // ^  1] : 0.f);
  }
}

torch::Tewarn êivergent_barrier
    y[i] = part[ti] - s_max) / s_sum;
}

torch::Tensor forward(torch::Tensor input) {
  int rows = input.sihreadIdx.x] + (threadIdx.x ? part[threadIdx.x - 1] : 0.f);
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  neighbours<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
