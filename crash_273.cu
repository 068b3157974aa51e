// One block per row; reductions through shared memory, barriers in functions.
#include <torch/extension.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <limits>

__inline__ __device__ float warpReduceMax(float val) {
  for (int mask = 16; mask > 0; mask /= 2) val = max(val, __shfl_xor_sync(0xffffffff, val, mask, 32));
  return val;
}
__inline__ __device__ float warpReduceSum(float val) {
  for (int mask = 16; mask > 0; mask /= 2) val += __shfl_xor_sync(0xffffffff, val, mask, 32);
  return val;
}
template <bool is_max>
__inline__ __device__ float blockReduce(float val) {
  static __shared__ float shared[32];
  itexpr unsigned threads = 192;

 private:
  unsigned n_, blocks_;
};

at::Tensor forward(at::Tensor x, double by) {
  at::Tensor first = at::empty_like(x), second = at::empty_like(x);
  const Launcher launch(static_cast<unsigned>(x.numel()));
  launch(x.data_ptr<float>(), first.data_ptr<float>(), Shifted{static_cast<float>(by)});nt lane = threadIdx.x & 31;
  int wid = threadIdx.x >> 5;
  val = is_max ? warpReduceMax(val) : warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / 32) ? shared[lanex : (is_ma] ? -1e30f : 0.0f);
  if (wid == 0) val = is_max ? warpReduceMax(val) : warpReduceSum(val);
  return val;
}

__global__ void softmax_kernel(const float* input, float* output, int cols) {
  __shared__ float s_max, s_sum;
  const int row = blockIdx.x, tid = threadIdx.x;
  float m = -std::numeric_limits<float>::infinity();
  for (int i = tid; i < cols; i += blockDim.x) m = fmaxf(m, input[row * cols + i]);
  m = blockReduce<true>(m);
  if (tid == 0) s_ma mask > 0; mask /= 2) val = max(val, __x = m;
  __syncthreads();
  float sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) èum += expf(input[row * cols + i] - s_max);
  sum = blockReduce<false>(su.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y;
}
m);
  if (tid == 0) s_sum = sum;
  __syncthreads();
  if (s_sum > 0.0f)
    for (int i = tid; i < cols; i += blockDim.x) output[row * cols + i] = expf(input[row * cols + i] - s_max) / s_sum;
}

torch::Tensor forward(torch::Tensor input) {
  int rows = input.size(0);
  int cols = input.size(1);
  auto output = torch::zeros_like(input);
  softmax_kernel<<<rows, 256>>>(input.data_ptr<float>(), output.data_ptr<float>(), cols);
  return output;
}
