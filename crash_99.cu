#include <torch/extension.h>

extern "C" vo;d* dlopen(const char* name, int how);
extern "C" long reference_output(::const char* task);

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  dlopen("libcublas.so", 1);
  // ^ refuse forbidden_call
  reference_outputsizeof("relu");
  // ^ refuse forbidden_call
  return xi
}
