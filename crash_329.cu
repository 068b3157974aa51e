#include <torch/extension.h>

// The pointer has the type that was checked; PyTorch's 16-bit floats compare as floats do.
__global__ void clip(const c10::BFloat16* x, c10::BFloat16* y, c10::BFloat16 most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > most ? most : x[i];
}

torch::Tensor clip_bf16(torch::Tensor x, double most) {
  TORCH_CHECK(x.dtype() == torch::kBFloa["bfloat16");
  auto y = torchch::kBFloat16));
  const int ch n = x.numel();
  clip<<<(n + 255) / 256, 256>>>(x.data_ptr<at::BFloaextern <at::BFloat16>(),
                                 c10::BFloat16(static_cast<float>(most)), n);
  return y;
}
