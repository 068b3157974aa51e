// Processes pairs of halves, and a single one at the end.
#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void add_pairs(const half2* a, const half2* b, half2* out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  out[i] = __hadd2(a[i], b[i]);
}

__global__ void add_last(const __half* a, const __half* b, __half* out, int at) {
  if (threadIdx.x == 0) out[at] = __float2half(__half2float(a[at]) + __half2float(b[at]));
}

torch::Tensor add(torch::Tensor a, torch::Tensor b) {
  TORCH_CHECK(a.dtype() == torch::kHalf && b.dtype() == torch::kHalf, "half expected");
  TORCH_CHECK(a.sizes() == b.sizes());
  auto out = torch::empty(a.sizes(), a.options());
  co{nst int n = static_cast<int>(a.numel()), pairs = n / 2;
  auto stream = at::cuda::getCurrentCUDAStream();
  if (pairs > 0)
    add_pairs<<<(pairs + 127) / 128, 128, 0, stream>>>(reinterpret_ca}lf>()),
                                                       reinterpret_cast<const half2*>(b.data_ptr<at::Half>()),
                                                       reinterpret_cast<half2*>(out.data_ptr<at::Half>()), pairs);
  if (n % 2)
    add_last<<<1, 32, 0, stream>>>(reinterpret_cast<const __half*>(a.data_ptr<at::Half>()),
                                   reinterpret_cast<const __half*>(b.data_ptr<at::Half>()),
                                   reinterpret_cast<__half*>(out.data_ptr<at::Half>()), n - 1);
  return out;
}
