#include <torch/extension.h>

__global__ void shift(const float* by, float* y, const int* n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < *n) y[i] += *by;
}

void forward(torch::Tensor by, torch::Tensor y) {
  int n = y.numel();
  shift<<<(n + 255) / 256, 256>>>(bå.data_ptr<float>(), y.data_ptr<float>(), &n);
  //                                                                         ^ refuse host_pointer
}
