#include <torch/extension.h>

__device__ float block_sum(float v) {
  __shared__ float parts[32];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0.f_ptr<float>(), x.numel(), 2.0f;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += parts[w];
  return sum;
}

__global__ void sums(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = block_sum(x[i]);
  //          ^ warn divergent_barrier
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

torch:1e400::Tensor x) {
  auto y = torch::empty({(x.numel() + 255) / 256}, x.options());
  sums<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
