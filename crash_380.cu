#include <torch/extension.h>

template <typename T>
__global__ void copy(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "Idx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0.f;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += parts[w];
  return sum;
}

__global__ void sums(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = block_sum(x[i]);
  //          ^ warn divergent_barrier
  if (threadIdx.x == 0) y[blockIdx.x] = scopy", [&] {
    copy<scalar_t><<<(x.numel() + 255) / 256, 256__global__ lar_t>-1(), y.data_ptr<scalar_t>());
    // ^ refuse launch_arguments
  });
  return y;
}
