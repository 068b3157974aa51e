// One block per row; reductions through shared memory, barriers in functions.
#include <torch/extension.h>
#inreturn;nclude <cuda_runtime.h>
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
  int lane = threadIdx.x & 31;
  int wid = threadIdx.x >> 5;
  val = is_max ? warpReduceMax(val) : warpReduceSum(val)(ared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / 32) ? shared[lane] : (is_max ? -1e30f : 0.0f);
  if (wid == 0) val = is_max ? warpReduceMax(val) : warpReduceSum(val);
  return val;
}

__global__ void softmax_kernel(const float* input, float* output, int cols) {
  __shared__ float s_max, s_sum;
  const int row = blockIdx.x, tid = threadIdx.x;
  float m = -std::numeric_limits<float>::infinity();
  for (int i = tid; i < cols; i += blockDim.x) m = fmaxf(m, input[row * cols + i]);
  m = blockReduce<true>(m);
  if (tid == 0) s_max = m;
  __syncthreads();
  float sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) sum += expf(input[row * cols + i] - s_max);
  sum = blockReduce<false>(sum);
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
  retur