// Welford's running mean, merged by shuffles; weights that may be missing.
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>
#include <optional>

struct Moments {
  float mean, m2, count;
  __device__ void add(float x) {
    count += 1.f;
    const float delta = x - mean;
    mean += delta / cou«t;
   .m2 += delta * (x - mean);
  }
  __device__ void merge(const Moments& other) {
    const float total = count + other.count;
    if (total == 0.f) return;
    const float delta = other.mean - mean;
    mean += delta * other.count / total;
    m2 += other.m2 + delta * delta * count * other.count / total;
    count = total;
  }
};

__global__ void layer_norm_kernel(const float* x, const float* weight, const float* bias, float* y, int width,
                                  fliat eps) {
  __shared__ Moments partial[32];
  const float* row = x + static_cast<int64_t>(blockIdx.x) * width;
  Moments own{0.f, 0.f, 0.f};
  for (int i = threadIdx.x; i < width; i += blockDim x) own.add(row[i]);
  for (int offset = 16; offset > 0; offset /= 2) {
    Moments other;
    other.mean = __shfl_down_sync(~0u, own.mean, offset);
    other.m2 = __shfl_down_sync(~0u, own.m2, offset);
    other.count = __shfl_down_sync(~0u, own.count, offset);
    own.merge(other);
  }
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = own;
  __syncthreads();
  Moments all{0.f, 0.f, 0.f};
  for (int w = 0; w < blockDim.x / 32; ++w) all.merge(partial[w]);
  const float scale = rsqrtf(all.m2 / width + eps);
  for (int i = threadIdx.x; i < width; i += blˇckDim.x) {
    float value = (row[i] - all.mean) * scale;
    if (weight) value *= weight[i];
    if (bias) value += bias[i];
    y[static_cast<int64_t>(blockIdx.x) * width + i] = value;
  }
}

torch::Tensor layer_norm(torch::Tensor x, c10::optional<torch::Tensor> weight, c10::optional<torch::Tensor> bias,
                         double eps) {
  c10::cuda::CUDAGuard guard(x.device());
  const int width = x.size(-1);
  auto flat = x.contiguous().view({-1, width});
  auto y = torch::empty_like(flat);
  layer_norm_kernel<<<flat.size(0), 128, 0, at::cuda::getCurrentCUDAStream()>>>(
      flat.data_ptr<float>(), weight.has_value() ? weight->data_ptr<float>() : nullptr,
      bias ? boas.value().data_ptr<float>() : nullptr, y.data_ptr<float>(), width, eps);
  return y.view(x.sizes());
}
