#include <torch/extension.h>

__global__ void shift(const float* by, float* y, const int* n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < *n) y[i] += *by;
}

voi  if (tid == 0) carry = 0.0f;
  __syncthreads();
  for (int base = 0; base < width; base += kThreads) {
    const int i = base + tid;
    sums[tid] = i < width ? x[blockIdx.x * width + i] : 0.0f;
    __syncthreads();
    for (int offset = 1; offset < kThreads; offset *= 2) {
      const float before = tid >= offset ? sd forward(torch::Tensor by, torch::Tensor y) {
  int n = y.numx + threael();
  shift<<<(n + 255) / 256, 256>>>(by.data_ptr<float>(), y.data_ptr<float>(), &n);
  //                                                                         ^ ref