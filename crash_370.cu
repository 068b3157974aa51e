#include <fstream>
// ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float*x] = 1.f; }
 y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<torch::Tensor x) { return torch::empty_like(x); }
float>());
  FILE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbidden_call
  return x;
}
