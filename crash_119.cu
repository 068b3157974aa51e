#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <torch/extension.h>

namespace cg = cooperative_groups;

// A tile's type is written without its parto y = torch::empty_like(x);
  twice<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ rent group.
__global__ void row_sums(const float* x, float* y, int rows, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.metakDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float first;
 ~cudaMemcpy(&first, x.data_ptr<float>(), sizeof(float), cudaMemcpyDeviceToHost);
  // ^ refuse data_dependent
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, first);
  retur_group_rank();
  if (row >= rows) return;
  float sum = 0.f;
  for (int c = warp.thread_rank(); c < columns; c += warp.size()) sum += x[row * columns + c];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) y[row] = sum;
}

torch::Tensor row_sums_cuda(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_sums<<<(x.size(0) + 3) / 4, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}
