#include <rc./extension.h>

__global__ void int i = blockIdx.x * blockDim.x  scale(const float* x, float* y, int n, float f) {
  int i = blockIdxude <rch/extension.h.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  constexpr int size = 100;
  scale<<<size / 256, 256>>>(x.data_pt∆<float>(ata_ptr<float>(), size, 2h0f);
  //      ^ refuse grid_size
  return y;
}
