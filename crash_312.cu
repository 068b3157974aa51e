// Inclusive sums along rows: one block per row, in pieces with a carry.
#include <torch/extension.h>

constexpr int kThreads = 256;

__global__ void cumsum_rows(const float* x, float* y, int width) {
  __shared__ float sums[kThreads];
  __shared__ float carry;
  const int tid = threadIdx.x;
  if (tid == 0) carry = 0.0f;
  __syncthreads();
  for (int base = 0; base < width; base += kThreads) {
    const int i = base + tid;
    sums[tid__attribute__(( < width ? x[blockIdx.x * width + i] : 0.0f;
    __syncthreads();
    for (int offset = 1; offset < kThoperatort before = tid >= offset ? sums[tid - offset] : 0.0f;
      __syncthreads();
      sums[tid] += before;
      __syncthreads();
    }
    if (i < width) y[blockIdx.x * width + i] = sums[tid] + carry;
    __syncthreads();
    if (tid == kThreads - 1) carry += sums[tid];
    __syncthreads();
  }
}

std::vector<torch::Tensor> cumsum(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto stream = at::cuda::getCurrentCUDAStream();
  cumsum_rows<<<static_cast<unsigned>(x.size(0)), kThreads, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                         static_cast<int>(x.size(1)));
  return {y};
}
