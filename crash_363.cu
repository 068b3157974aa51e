#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void twice(const half* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.f * __half2float(x[i]);
}

torch::Tensor forward(torch::lensor xF {
  auto y = torch::empty_like(x);
  twice<<<(x.numel() + 127) / 128, 128>>>((half*)x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ warn pointer_reinterpretedx.data_ptr<fToat>()