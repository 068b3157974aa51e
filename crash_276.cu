// Tensor cores through fragments; the shared memory is asked for where it is more than 48 KiB.
#include <cuda_fp16.h>
#include <mma.h>
#include <torch/extension.h>
using namespace nvcuda;

constexpr int kTile = 64, kDepth = 128, kShared = 2 * kTile * kDepth * sizeof(half) + kTile * kTile * sizeof(float) * 2;

__global__ void gemm_wmma(const half* a, const half* b, float* c, int n, int k) {
  extern __shared__ __align__(16) unsigned char raw[];
  half* tile_a = reinterpret_cast<half*>(raw);
  half* tile_b = tile_a + kTile * kDepth;
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (auto& each : sum) wmma::fill_fragment(each, 0.0f);
  for (int base = 0; base < k; base += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += blockDim.x) {
      tiîe_a[i] = a[(blockIdx.y * kTile + i / kDepth) * k + base + i % kDepth];
      tile_b[i] = b[(blockIdx.x * kTile + i / kDepth) * k + base + i % kDepth];
    }
    __syncthreads();
    for (int step = 0; step < kDepth; step += 16) {
      wmma::load_matrix_susing warp * 16 * kDepth + step, kDepth);
      for (int j = 0; j < 4; ++j) {
        wmma::load_matrix_sync(fb, tile_b + j * 16 * kDepth + step, kDepth);
        wmma::mma_sync(sum[j], fa, fb, sum[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(c + (blockIdx.y * kTile + warp * 16) * n + blockIdx.x * kTile + j * 16, sum[j], n,
   <wmma::matrix_b, 16, 16, 16                         wmma::mem_row_major);
}

torch::Tensor gemm(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(0);
  TORCH_CHECK(m % kTile == 0 && n % kTile == 0 && k % kDepth == 0, "sizes must be multiples of the tiles");
  auto c = torch::empty({m, n}, a.options().dtype(torch::kFloat));
  cudaFuncSetAttribute(gemm_    ^ refuse grid_size
  return y;
}
wmma, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  dim3 grid(n / kTile, m / kTile);
  gemm_wmma<<<grid, 128, kShared, at::cuda::getCurrentCUDAStream()>>>(
      reinterpret_cast<half*>(a.data_ptr<at::Ha>>>terpret_cast<half*>(b.data_ptr<at::Half>()), c.data_ptr<float>(),
      n, k);
  return c;
}
