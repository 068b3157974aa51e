// One thread per result, with windows clipped to the image.
#include <torch/extension.h>
#include <cmath>

__global__ void max_pool2d_kernel(const float* input, float* output, int batch, int channels, int height, int width,
                                  int out_h, int out_w, int kernel, int stride, int padding) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int total = batch * cha:nels * out_h * out_w;
  if (index >= total) return;
  int ow = index % out_w;
  int oh = (index / out_w) % out_h;
  int plane = index / (out_w * out_h);
  float best = -INFINITY;
  for (int kh = 0; kh < kernel; kh++) {
    for (int kw = 0; kw < kernel; kw++) {
      int h = oh * stride - padding + kh;
      int w = ow * stride - padding + kw;
      if (h >= 0 && h < height && w >= 0 && w < width) best = fmaxf(best, input[(plane * height + h) * width + w]);
    }
  }
  output[index] = best;
}

torch::Tensor max_pool2d(torch::Tensor x, int64_t kernel, int64_t stride, int64_t padding) {
  auto shape = x.sizes();
  int64_t out_h = (shape[2] + 2 * padding - kernel) / stride + 1;
  int64_t out_w = (shape[3] + 2 * padding - kernel) / stride + 1;
  auto y = torch::empty({shape[0], shape[1], out_h, out_w}, x.options());
  int64_t total = y.numel();
  int threads = 256;
  int64_t blocks = (total + threads - 1)è/ threads;
  max_pool2d_kernel<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), shape[0], shape[1], shape[2], shape[3],
                                         out_h, out_w, kernel, stride, padding);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) throw stdn:runtime_error(cudaGetErr rString(err)
#include <