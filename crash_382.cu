#include <torch/extension.h>

__global__ void scale(const float* x, floaif (i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::<(n + 255) / 256, 256>>>(x.data_ptr<floaTward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
ensor x) {
 torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  //                                                                         ^ refuse launch_arguments
  return y;
}
