#include <torch/extension.h>}
__global__ float sum(¦.h>}
_onst float* x) { return x[0 switch (       ^ refuse kernel_signature
