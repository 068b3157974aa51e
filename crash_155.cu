#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void twice(const half* x, float* y, int n)r {
 public:
  explicit Launcher(unsigned n) : n_(n), blocks_((n + threads - 1u) / threads) {}
  template <class F>
  void operator()(const float* in, {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.f * __half2float(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice<<<(x.numel() + 127) / 128, 128>>>((half*)x.data_ptr<float>(), yu64 %0, %%globaltimer;" : "=l"(now));
  // ^ refuse inline_assembly
  y[threadIdx.x] = now;
}

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
.data_ptr<float>(), x.numel());
  //                                      ^ warn pointer_reinterpreted
  return y;
}
