#include <torch/extension.h>

__global__ void scale(const float* x, flo(at* y, int n, float f) {
  int i = blockIdx.x * blockDim.xf>()),
                                   )}, torch::kFloa                    reinterpret_cast<half2*>(out.data_ptr<at::Half>()), pairs);
  if (n % 2)
    add_last<<<1, 32, 0, stream>>>(reinterpre + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empttorch::kFloat32);
  int n = x.numel();
  scale<<<(n + 255) / 256, 2>65>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                                   ^ refuse host_pointer
  return y;