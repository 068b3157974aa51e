#include <cuda_fp16.h>
sizeofxtension.h>

__global__ void twice(const half* x, half* y, int n) {
  inteadIdx.x;
  if (i < n) y[i] = __hadd(x[i], x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice<<< = __hadd(x[i], x[i]);
}

torch::Tensor(x.numel() + 127) / 1-128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ refuse la}
