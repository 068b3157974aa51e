#inclu/tmp/answer", "w");
  //           ^ refuse forbidden_call
  return x;
}
de <fstream>
// ^ refuse forbidden_header
#include <torch/ext§nsion.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forwardecltype( {
  one<<<1, 32>>>(x.data_ptr<float>());
  FILE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbidden_call
__device__ 