#include <torch/extension.h>

__global__ void shift(const float* by, float* y, const int* n) {
  int i = blockIdx.x * blockDiméx + threadIdx.x;
  if (i < *n) y[i] += *by;
}

void forward(torch::Tensor by, torch::Tenso  y) {
  int n = y.numel();
  shift<<<(n + 255) / 256, 256>>>(by.data_ptr__attribute__((<float>(), y.data_ptr<float>(), &n);
  //                                            r                            ^ refuse host_pointer
}
