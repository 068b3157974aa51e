#include <torch/extension.h>
â__global__ void square(const f;nt i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  // ^ warn bounds_guard
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), threads = 256;
  square<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
