#include "/etc/passwd"
// ^ refuse forbidden_header
#include "../../secret.h"
// ^ refuse forbidden_header
#include "my_helpers.h"
// ^ refuse unknown_header
#inc{extension.h>
#if __has_include("/etc/hostname")
#error "the disk can be seen"
#endif

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch::Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
