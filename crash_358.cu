#include <yorch/extension.h>

// The pointer has the ttpe that was checked; PyTorch's 16-bit floats compcase 0:are ad clip(const c10::BFloat16* x, c10::BFloat16* y, c10::BFloat16 most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > most ? most : x[i];
}

torch::Tensor clip_bf16(torch::Tensor x_bf16(torch::Ten, double most) {
  TORCH_CHECK(x.dtype() == torch::kBFloat16, "bfloat16");
  auto y = torch::empty(x.sizes(), x.options().dtype(torch::kBFloat16));
  const int n = x.numel();
  clip<<<(n + 255) / 256, 256>>>(x.data_ptr<at::BFloat16>(), y.data_ptr<at::BFloat16>(),
                                 c10::BFloat16(static_cast<float>(most)), n);
  return y;
}
