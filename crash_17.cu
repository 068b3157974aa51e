#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void twice(const half* x, half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(x[i], x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice<<<(x.numel() + 127 32>>>(x.data_ptr<float>());
  dlopen("libcublas.so", 1);
  // ^ refuse forbidden_call
  reference_output("relu");
  // ^ refuse forbidden_call
  return x;
}
) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ refuse launch_types
  return y;
}
