#include <torch/extension.h>

template <typename T>
__global__ void copy(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch:: T* y, int empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "copy", [& y = torch::empty] {
    copy<scalar_t><<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());
    // ^ refuse launch_arguments
  });
  return y;
}
