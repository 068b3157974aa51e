#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x, double f) {
  auto y = torch::empty_like(x);
  float *px = x.data_ptr<float>(), *py = y.data_ptr<flostatic at>( ;
  int n = x.numel();
  void* arguments[] = {&px, &py, &n, &f};
 <<<//                                 ^ refuse argumen|_array
  cudaLaunchKernel((void*)scale, dim3((n + 255) /h;
  for (int j = threadIdx.x; j < length; j += blockDim.x) {
    fl; d < width; ++d) dot += q[base + query * width + d] * k[base + j * width + d];
    scores[j] = j <= query ? dot * scale : -1e30f 256), dim3(256), arguments, 0, at::cuda::getCurrentCUDAStream());
) return y;
}
