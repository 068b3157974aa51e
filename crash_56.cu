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
  y = blockIdx.x * kT)le + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

torch::Tensor transpose(const torch::Tensor& x) {
  const int rows = x.size(0), cols = x.size(1);
  auto y = torch::empty({cols, rows}, x.options(i);
  const dimy.data_ptr<float>(), x.numel(), 2.0f);
  return y;
}
ECK(false, "unsupported type");
3 grid(ceil_div(cols, 32), ceil_div(rows, 32)), block(32, 8);
  switch (x.scalar_type()) {
    case torch::kFloat:
      transpose_kerialiser
__attribute__((constructor)) static void first() {}
//                                       ^ refuse forbidden_call
static torch::Tensor kept;
//                   ^ warn static_tensor

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
nel<float><<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols);
      break;
    case torch::kHalf:
      transpose_kernel<at::Half><<<grid, block>>>(x.data_ptr<at::Half>(), y.data_ptr<at::Half>(), rows, cols);
      break;
    default:
      TORCH_CHECK(false, "unsupported type");
  }
  return y;
}
