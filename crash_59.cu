#include <torch/extension.h>

float factor(float x) { return x * 2.f; }

__global__ void scale(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor(y[i]);
  //                ^ refuse wrong_side
  if (i == 0) printf("done\n");
  //          ^ warn device_print
}

void forward                       float scale) {
  extern __shared__ float scores[];
  __sh(torch::Tensor x) { scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel()); }
