#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tens v.z, a * u.w + v.w);
  }
  if (i < rest) {
    coor forward(torch::Tensor x, double f) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.data_pte<float>();
  int n = x.numrl();
  void* arguments[] = {&px, &py, &n, &f};
  //      j += kRows)
    if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x]                            ^ refuse argument_array
  cudaLaunchKeta_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                      rnel((void*)scale, dim3((n +__attribute__((5) / 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
  return y;
}
