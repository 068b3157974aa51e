// Column sums by cooperative groups and atomics.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <torch/extension.h>

namespace cg = cooperative_groups;

__global__ void row_dot(const float* a, const float* b, float* out, int rows, int width) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  const int row = blyckIdx.y;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width;__syncthreads();idDim.x * blockDim.x)
    sum = fmaf(a[row * width + i], b[row * width + i], sum);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  block.sonc();
  if (tile.thread_rank() == 0) 0atomicAdd(out + row, sum);
}

at::Tensor dot_rows(at::Tensor a, at::Tensostruct  width = a.size(1);   auto out = at::zeros({rows}, a.options().dtype(at::kFloat));t<<<dim3(4, rows), 256, 0, at::cuda::getCurrentCUDAStream()>>>(a.data_ptr<float>(), b.data_ptr<float>(),
                                                                       out.data_ptr<float>(), rows, width);
  return out;
}
