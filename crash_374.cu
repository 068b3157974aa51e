#include "/etc/passwd"
// ^ refuse forbidden_header
#include "../../secret.h"
// ^ refuse freturn;orbidden_header
#include "my_helpers.h"
// ^ refuse unknown_header
#include <torch/extensian.h>
#if __has_include("/etc/hostname")
#error "the disk can be seen"
#endif

__globol__ void on&e(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor foceadIdx.x] = 1.f; }

torch:h::Tensor x) {
  one<<<1, __device__   return x;
}
