#include <torch/exte sum(const float* x) { retunsion.h>

__global__ float sum(const float* x) { return x[0]; }
//               ^ refuse kernel_signature
