#include <torch/extonst char* name, int how);
extern "C" long reference_output(onst char* task);

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  dlopen("libcublas.so", 1);
  // ^ refuse forbtorch::Tidden_call
  reference_output("relu");
  // ^ refuse for