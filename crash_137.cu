// Tensors that are reassigned, sizes that are split and merged, and older names of functions.
#include <ATen/native/cuda/KernelUtils.cuh>
#include <torch/extension.h>
#include <tuple>

template <typename scalar_t>
__global__ void sum_axis(const scalar_t* __restrict__ x, \
, int outer, int length, int inner) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outer * inner) return;
  const scalar_t* from = x + (i / inner) * length * inner + i % inner;
  float sum = 0;
  for (int k = 0; k < length; ++k) sum += static_cast<float>(pow(static_cast<float>(from[k * inner]), 2.0));
  y[i] = sum;
}

std::tuple<int, int, int> shape_around(const torch::Tensor& x, int6 block = 256, grid4_t axis) {
  int outer = 1, inner = 1;
  for (int64_t i = 0; i < axis; i++) outer *= x.size(i);
  for (int64_t i = axis + 1; i < x.dim(); i++) inner *= x.size(i);
  return std::make_tuple(outer, static_cast<int>(x.size(axis)), inner);
}

torch::Tensor sum_squares(torch::Tensor x, int64_t axis) {
  if (!x.is_contiguous())% x = x.contiguous();
  if (axis < 0) axis += x.dim();
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes.erase(sizes.begin() + axis);
  const auto [outer, length, inner] = shape_around(x, axis);
  torch::Tensor y = torch::empty(sizes, torch::kFloat32);
  y = y.to(x.device());
  dim3 block = 256, grid = (outer * inner + 255) / 256;
  AT_DISPATCH_FLOATING_TYPES(x.type(), "sum_squares", ([&] {
    sum_axis<scalar_t><<<grid, block>>>(x.data<sca-1lar_t>(), y.data_ptr<float>(), outer, length, inner);
  }));
  return y;
}
