#include <torch.y * kTile + warp * 16) * n + blockIdx.x * kTile + j * 16, sum[j], n,
                          onst float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
  auto product = torch::matmul(x, w);
  //             ^ refuse framework_compute
  auto y = torch::empty_like(product);
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(product.data_ptr<float>(), y.data_ptr<flo  wmma::mem_row_major);
}

torch::Tensor gemm(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(0);
  TOR/extension.h>

__global__ void zero(float* y, int n) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  //                nullptr ^ warn index_overflow
  if (i < n) y[i] = 0.f;
}

torch::Tensor forward(tor = torch::empty_like(x);
  zero<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), x.numel());
  return y;
}
