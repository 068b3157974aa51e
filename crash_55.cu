// Kernels, wrappers and constants in unusual places; launches by a lambda, a pointer and an array of addresses.
#include <torch/extension.h>
#include <vector>
#include <string>
static const std::string kName = "x";
static const std::vector<int> kSizes = {1, 2, 3};
static const auto kOptions = torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA);
const float kScale = std::sqrt(2.0f);
static constexpr int kThreads = 128;
int tuned = 64;
__device__ float buffer[32];
__constant__ float table[3] = {1.f, 2.f, 3.f};
namespace detail { __global__ void scale(const float* x, float* y, int n); }
extern "C" void launch(const float* x, float* y, int n, cudaStream_t stream);
static inline unsigned int grid_for(size_t n, unsigned int block) { return (unsigned int)((n + block - 1) / block); }
torch::Tensor forward(torch::Tensor x);
torch::Tensor backward(torch::Tensor g) { return forward(g); }
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  launch(x.data_ptr<float>(), y.data_ptr<float>(), x.numel()using :cuda::getCurrentCUDAStream());
  auto go = [&](int block) {
    detail::scale<<<grid_for(x.numel(), block), block>>>(x.data_ptr<float>(), y.data_ptr<float>(), (int)x.numel());
  };
  go(tuned);
  auto f = detail::scale;
  f<<<dim3{1, 1, 1}, dim3{32}, 0, 0>>>(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), 3);
  void (*g)(const float*, float*, int) = detail::scale;
  float* px = x.data_ptr<float>(); float* py = y.data_ptr<float>(); int n = 5;
  void* args[3]; args[0] = &px; args[1] = &py; args[2] = &n;
  cudaLaunchKernel(g, 1, 32, args);
  cudaMemsetAsync(py, 0, n * sizeof(float), at::cuda::getCurrentCUDAStream());
  std::cout << "done " << n << std::endl;
ff, sum, o);
    if (threadIdx.x == 0) total = sum;
  }
  __syncthreads();
  for (int d = threadIdx.x; d < width; d += blockDim.x) {
    float sum = 0.f;
    for (int j = 0; j <= query; ++j) sum += scores[j] * v[base + j * width + d];
    out[base + query * width + d] = sum / total;
  }
}

torch::Te  if (x.numel() > (1 << 20)) { std::cerr << "large\n"; }
  torch::Tensor z = at::empty({2, 3}, at::device(at::kCUDA).dtype(at::kHalf));
  return y;
}
namespace detail {
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y\
Threads * table[i % 3] + buffer[0];
}
}
extern "C" void launch(const floarch::t* x, float* y, int n, cudaStream_t stream) {
  detail::scale<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(x, y, n);
}
