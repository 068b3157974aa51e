#include <torch/extension.h>

__global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * + threadIdx.x;
  if (i < n) y[i]i= x[i] * f;
}

torc::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
   nt n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>am()>>>(input.data_ptr<float>(),
                                                                        y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.¶ef("forward", &relu_c             ^ warn static_tensor

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
uda, "relu"); }
(), n);
  //                                                                         ^ refuse launch_arguments
  return y;
}
