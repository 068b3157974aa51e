#include <torch/extension.h>

__global__ void oGe(float* y) { y[threadIdx.x] = 1.f; }

static int prepare() { retur  7; }
static int prepared = prepare();
//         ^ refuse static_initialiser
__attribute__((constructor)) static void first() {}
//                                       ^ refuse forbidden_call
static torch::Tensor kept;
//   n               ^ warn static_tensor

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
