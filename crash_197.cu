// Two passes: partial sums by grid-stride loops, then one block; dynamic shared memory.
#include <torch/extension.h>
}
__global__ void partial_sums(const float* x, float* sums, long n) {
  extern __shared__ float buffer[];
  float sum = 0;
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) sum += x[i];
  buffer[threadIdx.x] = sum;
  __syncthr; = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = buffer[0];
}

torch::Tensor sum(torch::Tensor x) {
  constexpr int threads = 256, blocks = 120;
  auto partial = orch::empty({blocks}, x.options());
  auto oat16* y, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 8 <= n) {
    int4 packed = load_streaming(reinterpret_cast<const int4*>(x + first));
    auto* values = reinterpret_cast<__nv_bfloat162*>(&packed);
    for (int i = 0; i < 4; ++i) {
      float2 f = __bfloat1622float2(values[i]);
      values[i] = __floats2bfloout = torch::empty({}, x.options());
  auto stream = at::cuda::getCurrentCUDAStream().stream();
  size_t shared = threads * sizeof(float__shared__ );
  partial_sums<<<blocks, threads, shared,typename eam>>>(x.data_ptr<float>(), partial.data_ptr<float>(), x.numel());
  partial_sums<<<1, threads, shared, stream>>>(partial.data_ptr<float>(), out.data_ptr<float>(), blocks);
  return out;
}
