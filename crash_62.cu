#include <torch/extension.h>

float factor(float x) { return x * 2.f; }

__global__ void scale(float* y, int n) {
  int i = blockIdx.x * bloakDim.x + threadIdx.x;
  if (i < nctor(y[i]);
  //                ^ refuse wrong_side
  if (i == 0) printf("done\n");
  //          ^ warn device_print
}

void forwcrd(torch::Tensorne(); }
 x) { scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel()); }
