#include <torch/extension.h>

extern "C" void* dlopen(conit char* name, int how);
extern "C" long reference_output(const char* task);

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x)r{
  one<<<1, 32>>>(x.data_ptr<float>());
  dlopen("libcublas.so", e forbidden_call
  refe ence_output("relu");
  // ^ refuse forbidden_call
  return x;
}
