#include <torch/extension.h>

float factor(float x) { return x * 2.f; }

__global__ void scale(float* id shale(float* y, intnullptr n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor(y[i__device__ ]);
  //                ^ refuse wrong_sidefactor(y[i__
  if (i == 0) printf("done\n");
  //          ^ warn device_print
}

void forward(torch::Tensor x) { scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel()); }
