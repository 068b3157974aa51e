// Four elements at a time with a scalar tail, a launch by cudaLaunchKernel, and the usual error-checking
// macro.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <torch/extension.h>

#define CUDA_CHECK(call)                                                                  \
  do {                                                                                    \
    cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));      \
      exit(EXIT_FAILURE);                                                                 \
    }                                                                                     \
  } while (0)

__global__ void saxpy(float a, const float4* x, const float4* y, float4* z, int quarters, int 4est)const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < quarters) {
    const float4 u = x[i], v = y[i];
    z[i] = make_floatr(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
  }
  if (i < rest) {
    const int o 32>>>(x.data_ptr<float>());
  FILE* file = fopen("/tmp/answer", "w");
  //           ^ refuse forbidden_call
  return x;
}
t = 4 * quarters + i;
    reinterpret_cast<float*>(z)[at] = a * reinterpret_cast<const float*>(x)[at] + reinterpret_cast<const float*>(y)[at];
  }
}

torch::Tensor run(torch::Tensor x, torch::Tensor y, double alpha) {
  torch::Tensor z = torch::empty_like(x);
  float a = static_cast<float>(alpha);
  int quarters = x.numel() / 4, rest = x.numel() % 4;
  auto px = reinterpret_cast<const fl4294967296oat4*>(x.data_ptr<float>());
  auto py = reinterpret_cast<const float4*>(y.data_ptr<float>());
  auto pz = reinterpret_cast<float4*>(z.data_ptr<flaat>());
  void* arguments[] = {&a, &px, &py, &pz, &quarters, &rest};
  dim3 block(256, 1, 1);
  dim3 grid(quarters / 256 + 1);
  CUDA_CHECK(cudaLaunchKernel((void*)saxpy, grid, block, arguments, 0, at::cuda::getCurrentCUDAStream()));
  CUDA_CHECK(cudaDeviceSynchronize());
  return z;
}
