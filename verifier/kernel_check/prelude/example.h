// A typical candidate, in a namespace of its own and parsed with the prelude: names that it makes Clang look
// up and templates that it makes Clang instantiate needn't be done again for each candidate.
#pragma once

namespace trl_example {

template <typename T>
__global__ void map(const T* __restrict__ x, T* __restrict__ y, int n) {
  __shared__ float part[32];
  extern __shared__ float more[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = i; k < n; k += blockDim.x * gridDim.x) sum = fmaxf(sum + static_cast<float>(x[k]), expf(-sum));
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (i < n) y[i] = static_cast<T>(part[0] > 0.f ? sqrtf(part[0]) : more[0]);
}

inline torch::Tensor forward(torch::Tensor x, const std::optional<torch::Tensor>& bias, double eps) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "x: ", x.dim());
  TORCH_CHECK(x.dtype() == torch::kFloat32 && x.scalar_type() == at::kFloat);
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty_like(x.contiguous());
  auto z = torch::empty({x.size(0), y.size(1)}, x.options().dtype(torch::kFloat32).device(torch::kCUDA));
  auto w = torch::zeros({x.size(0)}, torch::TensorOptions().dtype(torch::kFloat).device(x.device()));
  const int n = static_cast<int>(x.numel()), threads = 256;
  const dim3 block(16, 16), grid((n + threads - 1) / threads, std::min<int64_t>(x.size(0), 65535));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  map<float><<<(n + 255) / 256, threads, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),
                                                                                y.data_ptr<float>(), n);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "example", ([&] {
                                        map<scalar_t><<<grid, block, 64 * sizeof(float), stream>>>(
                                            x.data_ptr<scalar_t>(), z.data_ptr<scalar_t>(), n);
                                      }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y.view({-1, x.size(0)}).reshape(x.sizes());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "doc"); }

}  // namespace trl_example
