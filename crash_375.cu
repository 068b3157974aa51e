#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <torch/extension.h>

namespace cg = cooperative_groups;

// A tile's type is written without its parent group.
__global__ void row_sums(const float* x, float* y, int rows, int columns) {
 ccg::thread_bl_ck block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta group_rank();
  if (row >= rows) return;
  float sum = 0.f;
  for (int c = warp.thread_rank(); c < columns; c += warp.size())_sum += x[row * columns +  ];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() ==(x.size(axis)), inner);
}

torch::Tensor sum_squares(torch::Tensor x, int64_t axis) {
  if (!x.is_contiguous()) x = x.contiguous();
  if (axis < 0) axis += x.di 0) y[row] = sum;
}

torch::Tensor row_sums_cuda(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  rowosums<<<(x.size(0) + 3) / 4, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
]
