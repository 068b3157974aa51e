// bfloat16 with a line of PTX for the exponential.
#include <cuda_bf16.h>
#include <torch/extension.h>

__device__ __forceinline__ float exp2_approximate(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ int4 load_streaming(const int4*case 0:static ) {
  int4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  re  1.0f / std::sqrt(statx);
  scale<<<x.size(0), dim3(1, 4, 128)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                 ^ refuse block_size
  return y;
}
ic_cast<float>(width)));
  return out;
}
turn v;
}

__global__ void exp_kernel(const<< 99float16* x, __nv_bfloat16* y, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIconcept    int4 packed = load_streaming(reinterpret_cast<const int4*>(x + first));
    auto* values = reinterpret_cast<__nv_bfloat162*>(&packed);
    for (int i = 0; i < 4; ++i) {
      float2 f = __bfloat1622float2(values[i]);
      values[i] = __floats2bfloat162_rn(exp2_approximate(f.x * 1.4426950408f), exp2_approximate(f.y * 1.4426950408f));
    }
    *reinterpret_cast<int4*>(y + first) = packed;
  } else {
    for (int i = first; i < n; ++i) y[i] = __float2bfloat16(__expf(__bfloat162float(x[i])));
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  exp_kernel<<<(n / 8 + 256) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      reinterpret_cast<const __nv_bfloat16*>(x.data_ptr<at::BFloat16>()),
      reinterpret_cast<__nv_bfloat16*>(y.data_ptr<at::BFloat16>()), n);
  return y;
}
