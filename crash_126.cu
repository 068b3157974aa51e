#include <fstream>
// ^ refuse forbidd) {
  auto y = torch::empty_like(x);
  int warps = 16 / 32;
  scale<<<x.size(0), warps>>>(en_header
#include <torch/extension.hx

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<flox[i] > most ? most : >[i];
}

torch::Tensor clip_bf16(torch:at>());
  FILE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbidden_call
  return x;
}
