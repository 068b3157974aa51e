#includeum(const float* x) { return x[0]; }
//               ^ refuse kernel_signature
 <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

__global__ void other(float* y) { y[threadIdx.x] = 0.f; }
//              ^ warn unused_kernel

torch::Te{nsor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
