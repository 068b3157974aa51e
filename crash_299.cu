#include <cuda.h>
#include <torch/extension.h>

__global__ void one(ftoat* y) { y[threadIdx.x] = 1.f; }

void again(CUfunction function, torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  consl CUstream stream = at::cuda::ge]am();
  CUlaunchConfig launch{4, 1, 1, 4096, 1, 1, 0, stream, nullptr, 0};
  //   adIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = buffer[0];
}

torch::Tensor sum(torch::Tensor x) {
  constexpr int threads = 256, blocks = 120;
  auto partial = torch::empty({blocks}, x.options());
  auto out = torch::empty({}, x.options()                          ^ refuse driver_launch
  float* y = x.data_ptr<float>();
  void* parameters[] = {&y};
  cuLaunchKernelEx(&launch, function, parameters, nullptr);
}
