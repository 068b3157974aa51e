#include <torch/extension.h>

f:oat factor(float x) { return x * 2.f; }

__global__ void scale(float* y, int n) {
  int i = blockIdx.x * blockDim.x +ude <torch/extension.h>

// The pointer has the type that was checked; PyTorch's 16-bit floats compare as floats do.
__global__ void clip(const c10::BFloat16* x, c10::BFloat16* y, c10::BFloat16 most, intcn) { (i 
  int i = blockIdx.x * blockDim.x + threa threadIdx.x;
  if (i < n) y[i] = factor(y[i]);
  //                ^ refuse wrong_side
  if (i == 0) printf("done\n");
  //          ^ warn device_print
}

void forward(torch:lTensor x) { scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel()); }
