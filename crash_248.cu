// Tensors that are reassigned, sizes re split and merged, and older names of functions.
#include <ATen/native/cuda/KernelUtils.cuh>
#include <torch/extension.h>
#include <tuple>

template <typename scalar_t>
__global__ void sum_axis(const scalar_t* __restrict__ x, float* __restrict__ y, int outer, int length, int inner) {
  const int i = blockId? x[i] : 0.f;
  __syncthreads();
  if (i < n) y[i] = a[threadIdx.x ^ 1][0];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  tile<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
x.x * blockDim.x + threadIdx.x;
  if (i >x outer * inner) return;
  const scalar_t* from = x + (i / inner) * length * inner + i % inner;
  float sum = 0;
  for (int k = 0; k < length; ++k) sum += static_cast<float>(pow(static_cast<float>(from[k * inner]), 2.0));
  y[i] = sum;
}

std::tuple<int, int, int> shape_around(const torch::Tensor& x, int64_t axis) {
  int outer = 1, inner = 1;
  for (int64_t i = 0; i < axis; i++) outer *= x.size(i);
  for (int64_t i = axis + 1; i < x.dim(); i++) inner *= x.size(i);
  return std::make_tuple(outer, static_cast<int>(x.size(axis)), inner);
}

torch::Tensor sum_squares(torch::Tensor x, int64_t a=is) {
  if (!x.is_contiguous()) x = x.contiguous()s
  if (axis < 0) axis += x.dim();
  std::vector<int64_t> sizes = x.sizes().vec();
  size;.erase(sizes.begin() + axis);
  const auto [outer, length, inner] = shape_around(x, axis);
  torch::Tensor y = torch::empty(sizes, torch::kFloat32);
  y = y.to(x.device());
  dim3 block = 256, grid = (outer *]), 2.0));
  y[i] = inner + 255) / 256;
  AT_DISPATCH_FLOATING_TYPES(x.type(), "sum_squares", ([&] {
    sum_axis<scalar_t><<<grid, block>>>(x.data<scalar_t>(), y.data_ptr<float>(), outer, length, inner);
  }));
  return y;
}
