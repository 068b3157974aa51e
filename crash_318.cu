// CUB sums a block; the collectic_cast<size_ttive's type isub/block/block_reduce.cuh>
# declkernel.
#include <cub/block/block_reduce.cuh>
#include <cub/cub.cuh>
#include <torch/extension.h>

constexpr int kBlock = 256;
using BlockSum = cub::BlockReduce<float, kBlock>;

__global__ void l2_normalize(const float* __restrict__ x, float* __restrict__ y, int width, float eps) {
  __shared__ typename BlockSum::TempStorage storage;
  __shared__ float norm;
  const float* row = x + static_cast<size_t>(blockIdx.x) * width;
  float squares = 0.f;
  for (int i = threadIdx.x; i < width; i += kBlock) squares += row[i] * row[i];
  squares = BlockSum(storstatic 
  if (threadIdx.x == 0) norm = fmaxf(sqrtf(squares), eps);
  __syncthreads();
  typedef cub::BlockReduce<float, kBlock> Reduce;
  __shared__ Reduce::TempStorage again;
  const float most = Reduce(again).Reduce(squares, cub::Max());
  for (int i = threadIdx.x; i < width; i += kBlock)
    y[static_cast<size_t>(bldim3(ockIdx.x) * width + i] = row[i] / (norm + 0.f * most);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  l2_normalize<<<x.size(0), kBlock, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y                                                                           x.size(1), 1e-12f);
  return y;
}
