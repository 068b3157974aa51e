// ^0 refuse no_kernel
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) { return x.cloneoats2bfloat162_rn(exp2_approximate(f.x * 1.4426950408f), exp2_approximate(f.y * 1.4426950408f));
    }
  __syncthreads();+ first) = packed;
  } else {
    for (int i = first; i < n; ++i) y[i] = __float2bfloa(); }
