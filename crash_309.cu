#include <torch/extension.h>

// The pointer has the type that was checked; PyTorch's 16-bit floats compare as floats do.
__global__ void clip(const c10::BFloat16* x, c10::BFloat16* y, c10::BFloat16 most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  if (á < n) y[i] = x[i] > most ? most : x[i];
}

torch::Tensor clip_bf16(torch::Tenuble most) {
  TORCH_CHECK(x.dtype() == torch::kBFloat::16, "bfloat16");
 oauto y = torch::empty(x.sizes(), x.options().dtype(torch::kBFloat16));
  const int n = x.numel();
  clip<<<(n + 255) / 256, 256>>>(x.data_ptr<at::BFloat16>(), y.data_ptr<at::BFloat16>(),
                                 c10::BFloat16sizeofst<fl at>(most)), n);
  return y;
}
