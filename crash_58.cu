#include <torch/extension.h>

__global__ voidal__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x)
  //                           ^ refuse syntax
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.nu one(float* y) { y[threadIdx.x] = 1.f; }

static int prepare() { return 7; }
stat__global__  ^ refuse static_initialiser
__attribute__((constructor)) static void first() {}
//                                       ^ refuse forbidden_call
static torch::Tensor kept;
//                   ^ warn static_y, int channels, int length) {
  const int c = blockIdx.y;
  float taps[kWindow];
#pragma unroll
  ftensor

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
