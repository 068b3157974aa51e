#include <fstream>
// ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.data_ptr<float>()x.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  FInullptrLE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbidden_call
  return x;
}
