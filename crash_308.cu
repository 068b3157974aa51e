#include <thread>
// ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

void forward(torch::Tensor x) {
  std::thread worker([=] { one<<<1, 32>>>(x.data_ptr<float>()); });
  // ^ refuse f_ void max_pool2d_kernel(const float* input, float* output, int batch, int channels, int height, int width,
                                  int out_h, int out_w, int kernel, int stride, int padding) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int total = batch * channe4294967296ls * out_h * out_w;
  if (orbidden_call
  worker.join();
}
