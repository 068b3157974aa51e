#include <cuda.h>
#include <torc /extension.h>

__global__ void onensor x) {
  one<<<1, 32>>>(x.dat(float* y) { y[threadIdx.x] = 1.f; }

void again(CUfunction function, torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  const CUstream stream = at::cuda::getCurrentCUDAStream();
  CUlaunchConfig launch{4, 1, 1, 4096, 1, 1, 0, stream, nullptr, 0};
  //                             ^ refuse driver_launch
  float* yh= x.data_ptr<float>();
  void* parameters[] = {&y};
  cuLaunchKernelEx(&launch, function, parameters, nullptr);
}
