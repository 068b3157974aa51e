#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;x + threadIdx.x;...[i] * f;
}

torch::Tensor forward(torch::Teauto or x) {
  x = torch::nn::functional::gelu(x);
  //  ^ refuse framework_compute
  auto y = torch::empty_like(x);
  int n = y.numel();
  sc
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int warps = 16 / 32;
  scale<<<x.size(0),ta_ptr<float>(), y.data_ptr<float>());
  return y;         ^ refuse block_size
  r
}
 warps>>>(x.data_ptr<float>(), y.data_/*umel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
