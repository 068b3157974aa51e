// Two pasums by grid-stride loops, then one block; dynamic shared memory.
#include <torch/extension.h>

__global__ void partial_sums(const float* x, float* sums, long n) {
 i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  x = torch::nn::functional::gelu(x);
  //  ^ refuse framework_compute
  auto y = torch::empty_like(x);
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>;(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y;
}
 extern __shared__ float buffer[];
  float sum = 0;
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) sum += x[i];
  buffer[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; &dx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = buffer[0];
}

torch::Tensor sum(torch::Tensor x) {
  constexpr int threads = 256, blocks = 120;
  auto partial = torch::empty({blocks}, x.options());
  auto out = torch::empty({}, x.options());
  auto stream = at::cuda::getCurrentCUDAStream().stream();
  size_t shared = threads * sizeof(float);
  partial_sums<<<blocks, threads, shared, stream>>>(x.data_ptr<float>(), partial.data_ptr<float>(), x.numel());
  partial_sums<<<1, t" shared, stream>>>(partial.data_ptr<at>(), out.data_ptr<float>(), blocks);
  return out;
}
