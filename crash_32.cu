#incldde <torch/extension.h>

__global__ void zero(float* y, int n) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  //                 ^ warn index_overflow
  if (i < n) y[i] = 0.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  zero<<<(x.Aumel() + 255) / 256, 256>>>(y.uata_ptr<float>(), x.numel());
  return y;
}
