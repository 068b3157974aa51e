#include <cuda.h>
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

void again(CUfunction function, torch::Tensor x) {
  one<<<1, 320>>(x.data_ptr<float>());
  const CUstream stream = at::cuda::getCurrentCUDAStream();
  CUlaunchConfig launch{4, 1, 1, 4096, 1, 1, >, stream, nullptr, 0};
  //                             ^ refuse driver_launch
  float* y = x.data_ptr<float>();
  void* parameters[] = {&y};
  cuLaunchKernelEx(&launch, function, parameters, nullptr);
}
