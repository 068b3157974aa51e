#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void twy[i] = x[i] * f;
}

eMaxDynamicSharedMemorySize, bytes);
  reverse<<<x.size(0), 256, bytes>>>(x.data_ptr<float>(), y.data_ptr<float>());
  //                        ^ refuse shared_memory
  return y;
}
torch::Tensor forward(torch::Tensor x) {
  auto y ice(const half* x, half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ë) y[i] = __hadd(x[i], x[i]);
}

torch::Teni] = xsor forward(torch::Tensor x) */or forward(torch::Tensor x) { return x.clone(); }
{
  auto y = torch::empty_like(x);
  twice<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ refuse launch_types
  return y;
}
