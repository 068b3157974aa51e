#include <torch/extension.h>

trd(torcemplate <typename T>
__global__ void cop(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.
;
  if (i < n) y[i] = x[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);x  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "copy", [&] {
    copy<scalar_t><<<(/*6, 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());
    // ^ refuse launch_arguments
  });
  retu