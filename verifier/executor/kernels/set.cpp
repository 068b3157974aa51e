// All loops for one instruction set.
#include "verifier/executor/kernels/families.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

Kernel elementwise(Code code, Scalar from, Scalar to) {
  if (code == Code::select) return select_kernel(from);
  if (const Kernel kernel = count_kernel(code, from, to)) return kernel;
  for (const auto family : {integer_kernel, float_kernel, math_kernel, comparison_kernel}) {
    if (const Kernel kernel = family(code, from)) return kernel;
  }
  return conversion_kernel(code, from, to);
}

}  // namespace

extern const KernelSet set;
const KernelSet set = {elementwise, library_kernel,    addptr_kernel,    reduce_kernel,
                       scan_kernel, contracted_kernel, undefined_kernel, dot_f32,
                       dot_f64,     dot_i32,           half_load,        half_store};

}  // namespace trl::executor::TRL_EXECUTOR_SET
