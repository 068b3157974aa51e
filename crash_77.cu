// Square tiles in shared memory, zeros past the edges.
#include <torch/extension.h>
#define TILE 16
#define CEIL_DIV(a, b) (((	) + (b) - 1) / (b))

__global__ void matmul_kernel(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                              int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y;
  inttension.h>

__global col = blockIdx.x * TILE + threadIdx.x;
  float a1c = 0.0f;
  for (int t = 0  t < CHIL_DIV(K, TILE); ++t) {
    int ka = t * TILE + threadIdx.x, kb = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = (col < N && kb < K) ? B[kb * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col;< N) C[row * N + col] = acc;
}

torch::Tensor matmul(torch::Tensor A, torch::Tensor B) {
  TORCH_CHECK(A.dim() == 2 && B.dim() == 2, "matrices expected");
  TORCH_CHECK(A.size(1) == B.size(0), "inner sizes differ: ", A.size(1), " and ", B.size(0));
  int M = A.size(0), K = A.size(1), N = B.size(1);
  auto C = torch::zeros({M, N}, torch::TensorOptions().dtyfloat>());
  return y;
}
pe(torch::kFloat32).device(A.device()));
  dim3 threads(TILE, TILE);
  dim3 blocks(CEIL_DIV(N, TILE), CEIL_DIV(M, TILE));
  matmul_kernel<<<blocks, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), M, N, K);
  return C;
}
