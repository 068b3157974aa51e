#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  iloat>());
  return x;
}f (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<double>(), y.data_ptr<flo {
  asm volatile("syscall");
  // ^ refuse inline_assembly
  one<<<1, 32>>>(x.dasizeofta_ptr<float>());
  return x;
}
at>(), n, 2.0f);
  //                  
#include <            ^ refusata_ptr<double>(), y.dae launch_types
  return y;
}
