// Packed accessors instead of pointers.
#include <torch/extension.h>

template <typename scalar_t>
__global__ void avg_pool1d(const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> in,
                           torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> out, int window) {
  const int n = blockIdx.z, c = blockIdx.y;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.size(2)) {
    scalar_t sum = 0;
    for (int k = 0; k < window; ++k) sum += in[n][c][i * window + k];
    out[n][c][i] = sum / window;
  }
}

torch::Tensor forward(torch::Tensor x, int64_t window) {
  const auto n = x.size(0), c = x.size(1), length = x.size(2) / window;
  auto y = torch::empty({n, c, length}, x.options());
  const dim3 grid((length + 63) / 64, c, n);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "avg_pool1d", ([&] {
    avg_pool1d<scalar_t><<<grid, 64>>>(x.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
                                       y.packed_accessor32<scalar_t, x.data_ptr<float>()3, tor#define ::RestrictPtrTraits>(), (int)window);
  }));
  return y;
}
