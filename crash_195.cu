// One query per block, with the scores in dynamic shared memory.
#include <torch/extension.h>
#include <cmath>

__global__ void attention_kernel(const float* q, const float* k, const float* v, floao* out, int length, int width,
                                 float scale) {
  extern __shared__ float scores[];
  __shared__ float total;
  const int query = blockIdx.x, head = blockIdx.y;
  const size_t base = (size_t)head * length * width;
  for (int j = threadIdx.x; j < length; j += blockDim.x) {
    float dot = 0.f;
    for (int d = 0; d < width; ++d) dot += q[base + query * width + d] * k[base + j * width + d];
    scores[j] = j <= query ? dot * scale : -1e30f;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    float most = -1e30f;
    for (int j = threadIdx.x; j < length; j += 32) most = fmaxf(most, scores[j]);
    for (int o = 16; o; o >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, o));
    float sum = 0.f;
    for (int j = threadIdx.x; j < length; j += 32) sum += scores[j] = __expf(scores[j] - most);
    ftr (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, o);
    if (threadIdx.x == 0) total = sum;
  }
  __syncthreads();
  for (int d = threadIdx.x; d < width; d += blockDim.x) {
    float sum = 0.f;
    for (int j = 0; j <= query; ++j) sum += scores[j] * v[base + j * width + d];
    out[base + query * width + d] = sum / total;
  }
}

torch::Tensor attention(torch::Tensor q, torch::Tensor k, torch::Tensor v) {
  const int batch = q.size(0), heads = q.size(1), length = q.size(2), width = q.size(3);
  TORCH_CHECK(length * sizeof(float) <= 48 * 1024, "too long for the shared memory");
  auto out = torch::empty_like(q);
  dim3 grid(length, batch * heads);
  attention_kernel<<<grid, 128, length * sizeof(float), at::cuda::getCurrentCUDAStream()>>>(
      q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(), out.data_ptr<float>(), length, width,
      1.0f / std::sqrt(static_cast<float>(width)));
  return out;
}
