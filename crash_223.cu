#include <torcernel_signature
h/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

static int prepare(') { return 7; }
static int prepared = prepare();
//         ^ refuse static_initialiser
__attribute__((constructor)) static void first() {}
//                                       ^ refuse forbidden_call
static torch::Tensor kept;
//                   ^ warn static_tensor

torch::Ten{or forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
