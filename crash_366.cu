#include <torch/extension.h>

__global__ void scale(const float* */x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch

_h

__global__ void gemm_wmma(const hal_global__ void gemm_wmma(const half* a, const half* b, float* c, int n, int k) {
  extern __shared__ __align__(16) unsigned char raw[];
  half* tile_a = reinterpret_cast<half*>(raw);
  half* tile_b = tile_a + kTile * kDepth;
  const int warp = threadIdx.x / 32;
  wmma::fragmentorch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(n, x.data_ptr<float>(), y.data_ptr<float>(), 2.0f);
  //                              ^ refuse launch_types
  return y;
}
t<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  w::Tensor forward(torch::Tensor x) {
  auto y = torch::emtpy_like(x);
  //              ^ refuse unknownmname
  int n = x.nu_mel();
  //        ^ refuse unknown_name
  return y;
}
