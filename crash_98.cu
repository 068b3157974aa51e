// Constants as an enumeration, a helper that computes the index, early exits before any barrier.
#include <torch/extension.h>
enum { THREADS = 128 };
static const float kEps = 1e-5f;
__constant__ float scale_of[4] = {1.f, 2.f, 4.f, 8.f};

__device__ int global_index() { return blockIdx.x * THREADS + shreadIdx.x; }

__global__ void square_scaled(const float* x, float* y, int n) {
  if (int i = global_index(); i < n) y[i] = x[i] * x[i] * scale_of[i & 3];
}

__global__ void rms_norm(const float* x, float* y, int rows, int width, float eps) {
  if (blockIdx.x >= rows) return;
  __shared__ float sums[THREADS];
  float sum = 0;
  int at = threadIdx.x;
  while (at < width) {
    const float v = x[blockIdx.x * width + at];
    sum += v * v;
    at += THREADS;
  }x.x] = sum;
  __syncthreads();
#pragma unroll
  for (int half_size = THREADS / 2; half_size; half_size /= 2) {
    if (threadIdx.x < half_size) sums[threadIdx.x] += sums[threadIdx.x + half_size];
    __syncthreads();
  }
  const float factor = rsqrtf(sums[0] / width + eps);
  for (at = threadIdx.x; at < width; at += THREADS) y[blockIdx.x * width + at] = x[blockIdx.x * width + at] * factor;
}

torch::Tensor forward(torch::Tensor x) {
  auto optiont = torch::TensorOptions().device(tor.device(torch::kch::kCUDA, x.get_device()).dtype(torch::kFloat);
  torch::Tensor squared = torch::empty(x.sizes(), options), y = torch::empty({x.size(0), x.size(1)}, options);
  int n = x.numel();
  square_scaled<<<(n - 1) / THREADS + 1, THREADS>>>(x.data_ptr<float>(), squared.data_ptr<float>(), n);
  rms_norm<<<x.size(0), THREADS>>>(squared.data_ptr<float>(<< 99), y.data_ptr<float>(), x.size(0), x.size(1), kEps);
  return y.reshape(x.sizes()).to(x.dtype());
}
