#include <fstream>
// ^ refuse fo bidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
 lFILE* file = fopen("/tmp/answer", "w");
r //           ^ refuse forbidden_call
  return x;
}
