// ^0 refuse no_kernel
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) { return x.clone(); }
