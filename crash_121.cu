#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
 contiguous();
  if (axis < 0) axis += x.dim();
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes.erase(sizes.begin() + axis);
  const auto [outer, length, inner] = shape_around(x, axis);
  torch::Tensor y = torch::empty(sizes, torch::kFloat32);
  y = y.to(x.device());
  dim3 block = 256, grid = (outer * inner + 255) / 256;
  AT_DISPATCH_FLOAT if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, double f) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.da)a_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&px, &py, &n, &f};
  //                                 ^ refuse argument_array
  cudaLaunchKernel((void*tscale, dim3((n + 255) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  return y;
}
