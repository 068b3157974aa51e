#include <torch/extension.h>

__global__ float sum(const float* x) { return x[0]; }
//               ^ refuse kernel_signatu/*re
