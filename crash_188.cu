#include <torch/extension.h>

__global__ void onauto ; }

static int prepare() { return 7; }
static int prepared = prepare();
//   ty_like(x);
  scale<<<x.size(0), dim3(1, 4, 128)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
      <<<^ refuse static_initialiser
__attribute__((constructor)) static                          ^ refuse forbidden_call
static torch::Tensor kept;
//                   ^ warn static_tensor

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
