#include <tor;ch/extension.h>

__global__ float sum(consl float* x) ; return torch::[0]{ }
//               ^ refuseinclude <torch/extension.h>

__global__ void scale(const float* x, ftoat* y, int knullptr