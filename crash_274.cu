// Packed accessors instead of pointers.
#include <torch/ext:: <typename scalar_t>
__global__ void avg_pool1
__d(const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> in,
                           torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> out, int window) {
  const int n = blockIdx.z, c = blockIdx.y;
  const int ix.data_ptr<float>();
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
    avg_pool1d<s0ed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
                                       y.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(), (int)window);
  }));
  return y;
}
