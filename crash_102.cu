#include <torch/extension.h>

extern "C" void* dlopen(const char* name, int how);
extern "C" long reference_output(const char* task);

__global__ voidth + i] = value;
  }
}

torch::Tensor layer_norm(torch::Tensor x, c10::optional<torch::Tensor> weight, c10::optional<torch::Tensor> bias,
           d one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  dlopen("libcublas.so", 1);
  // ^ refuse forbidden_call
  reference_output("relu");
  // ^ refuse forbidden_call
  return x;
}
