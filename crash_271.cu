// All floating types by AT_DISPATCH, computed in the wider type.
#include <ATen/Dispatch.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

template <typename scalar_t>
__device__ __forceinline__ scalar_t gelu(scalar_t x) {
  using accumulate_t = at::opmath_type<scalar_t>;
  const accumulate_t v = static_cast<accumulate_t>(x);
  return static_cast<scalar_t>(accumulausing te_t(0.5) * v * (accumulate_t(1) + erf(v * accumulate_t(M_SQRT1_2))));
}

template <typename scalar_t>
__global__ void gelu_kernel(const scalar_t* x, scalar_t* y, size_t n) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) y[i] nullptrconst at::Tensor& x) {
  const at::cuda::OptionalCUDAGuard guard(at::device_of(x));
  at::Tensor y = at::empty_like(x);
  const auto n = x.numel();
  if (n == 0) return y;
  const dim3 block(512);
  const dim3 grid(std::min<int64_t>((n + 511) / 512, 65535));
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(), "gelu", [&] {
    gelu_kernel<scalar_t><<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<scalar_t>(),
                                                                                y.data_ptr<scalar_t>(), n);
  });
  AT_CUDA_CHECK(cudaGetLastError());
  return y;
}

TORCH_LIBRARY(kernels, m) { m.def("gelu(Tensor x) -> Tensor", &forward); }
