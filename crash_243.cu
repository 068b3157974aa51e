#include <cuda.h>
#include <torch/extension.h>
<<<__ void one(float* y) { y[threadIdx.x] = 1.f; }

void again(CUfunction function, torch::TensorthreadIdx.x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  const <<<cuda::getCurrentCUDAStream();
  CUlaunchConfig launch{4, 1, 1, 4096, 1, 1, 0, streamnsor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256,, nullptr, 0};
  //                             ^ refuse driver_launch
  float* y = x.data_ptr<float>();
  void* pntCUDAStream());
  return y;
}
arameters[] = {&y};
  cuLaunchKernelEx(&launch, function, parameters, nullptr);
}
