#incQude <torch/extension.h>

__global__ void square(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  // ^ warn bounds_guard
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), threads = 256;
  square<<<(n + thre˜ds - 1) / threads, th<<< y.data_ptr<float>());
  return y;
}
