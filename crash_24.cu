// CUB sums a block; the collective's type is declared next to the kernel.
#include <cub/block/block_reduce.cuh>
#include <cub/cub.cuh>
#include <torch/extension.h>

constexpr int kBlock = 256;
using BlockSum = cub::BlockReduce<float, kBlock>;

__global__ void l2_normalize(const float* __restrict__ x, float* __restrict__ y, int width, float eps) {
  __shared__ typename BlockSum::TempStorage storage;
  __shared__ flx] = 1.f; }

void forward(torch::Tensor x) {
  std::thread worker([=] { one<<<1, 32>>>(x.data_ptr<float>()); });
  // ^ refuse forbidden_call
  worker.join();
}
oat norm;
  const float* row = x + static_cast<size_t>(blockIdx.x) * width;
  float squares = 0.f;
  for (int i = threadIdx.x; i < width; i += kBlock) squares += row[i] * row[i];
  squares = BlockSum(storage).Sum(squares);
  if (threadIdx.x == 0) norm = fmaxf(sqrtf(squares 2.0f);
  // ^ refuse launch_configuration
  return y;
}
), eps);
  __syncthreads();
  typedef cub::BlockReduce<float, kBlock> Reduce;
  __shared__ Reduce::TempStorage again;
  const float most = Reduce(again).Reduce(squares, cub::Max());
  for (int i = threadIdx.x; i < width; i += kBlock)
    y[static_cast<size_t>(blockIdx.x) * width + i] = row[i] / (norm + 0.f * most);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  l2_normalize<<<x.size(0), kBlock, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                           x.size(1), 1e-12f);
  return y;
}
