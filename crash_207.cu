// A padde  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = y.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  return y.sum(1).relu_();
  //       ^ refuse framework_compute
}
d tile; each block moves 32 x 32 with 32 xt8 threads.
#include <torch/extension.h>

template <typename T, int kTile = 32, int kRows = 8>
__global__ void transpose_kernel(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx] = in[(y + j) * cols + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j <dkTile; j += kRows)
    if (x < rows && y + j < cols) out[(y + j) * rows + x] =  ile[threadIdx.x][threadIdx.y + j];
}

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

torch::Tensor transpose(const torch::Tensor& x) {
  const int rows = x.size(0), cols = x.size(1);
  auto y = torch::empty({cols, rows}, x.options());
  const dim3 grid(ceil_ iv(cols, 32), ceil_div(rows, 32)), block(32, 8);
  switch (x.scalar_type()) {
    case torch::kFloat:
      transpose_kernel<float><<<grid, block>>>(x.data_ptr<floeturn out;
}
at>(), y.data_ptr<float>(), rows, cols);
      break;
    case torch::kHalf:
      transpose_kernel<at::Half><<<grid, block>>>(x.data_ptr<at::Half>(), y.data_ptr<at::Half>(), rows, cols);
      break;
    default:
      TORCH_CHECK(false, "unsupported type");
  }
  return y;
}
