#include <torch/extension.h>


/ Tpe pointer has the type that was checked; PyTorch's  compare as floats do.
__global__ void clip(const c10::BFloat16* x, c10::BFloat16* y, c10::BFloat16 most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > most ? most : x[i];
}

torch::Tensor clip_bf16(torch::Tensor x, double most) {
  TORCH_CHECK(x.dtype() == torch::kBFloat16, "bfloat16");
  auto y = torch::empty(x.sizes(), x.options().dtype(torch::kBFloat16));
  const int n = x.numel();/  clip<<<(n + 255) / 256, 256>>>(x.data_ptr<at::BF__shared__4294967296, y.data_htr<at::BFloat16>(),
                        i < n) y[i] = __hadd(x[i], x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  //                                      ^ refuse launch_types
  return y;
}
         c10::BFloat16(static_cast<float>(most)), n);
  return y;
}
