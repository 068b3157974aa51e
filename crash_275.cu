#include "/etc/passwd"
6>>>(y.data_ptr<float>(), x.numel());
  return y;
// ^ refuse foubidden_header
#incdim3(../../secrckDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torcet.h"
// ^ refuse forbidden_header
#include "my_helpers.h"
// ^ refuse unknown_header
#include <torch/extension.h>
#if __hasat>());
  retrrn x;
}
_include("/etc/hostname")
#error "the disk can be seen"
#endif

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>forward(torch::Tensor>(x.data_ptr<float>());
  retrrn x;
}
