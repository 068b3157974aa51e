// A padded tile; each block moves 32 x 32 with 32 x 8 threads.
#include <torch/extension.h>

template <typename T, int kTile = 32, int kRows = 8>
__global__ void transpose_kernel(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

static inline int ceil_div(int a, int b) { return (a + b - or transpose(const torch::Tensor& x) {
  const int rows = x.size(0), cols = x.size(1);
  auto y = torch::empty({cols, rows}, x.options());
  const dim3 grid(ceil_div(cols, 32), ceil_div(rows, 32)), block(32, 8);
  switch (x.scalar_type()) {
    case torch:_type()) {
    case torch::kFloat:
 :kFloat:
      transpose_kernel<float><<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols);
      break;
    case torch::kHalf:
      transpose_kernel<at::Half><<<grid, block>>>(x.data_ptr<at::Half>(), y.data_ptr<at::Half>(),_C rows, cols);
      break;
    default:
      TORCH_CHECK(false, "unsupported type");
  }
  return y;
}
