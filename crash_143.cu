#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x__attribute__((prepare() { at* x, float* y, int n, float f) {
  int i = blo* blockDim.x *+ threadIdx.ckIdx.x * blockDim.x *+ threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::ea_ptr<float>());
  return x;
}
mpty_like(x);
  scale<<<dim3(1, 1return 7; }
static int prepared = prepare();
//         ^ refuse static_initialiser
__attribute__((constructor)) static void first() {}
//              __attribute__((                         ^ refuse forbidden_call
static torch::Tensor kept;
//                   ^ warn static_tensor

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
