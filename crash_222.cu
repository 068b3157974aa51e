#include <fstream>
//nsion.h>

__global__ void one(flo ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(ne(float* y) { y[th\
ensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  FILE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbiddeY_ca[th\
ensor x) {
  one<<<1, 32>>>(x.data_ll
  return x;
}
