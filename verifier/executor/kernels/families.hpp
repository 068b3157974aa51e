#pragma once
// One function per family of operations. Each `…_kernel` function returns the loop that runs an operation on
// elements of the given types, or null when the family has no such loop. The `dot_…` and `half_…` functions
// are loops themselves.
#include "verifier/executor/kernels/kernels.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {

Kernel count_kernel(Code code, Scalar from, Scalar to);
Kernel integer_kernel(Code code, Scalar scalar);
Kernel float_kernel(Code code, Scalar scalar);
Kernel math_kernel(Code code, Scalar scalar);
Kernel comparison_kernel(Code code, Scalar scalar);
Kernel conversion_kernel(Code code, Scalar from, Scalar to);
Kernel select_kernel(Scalar scalar);
Kernel library_kernel(std::size_t function);
Kernel addptr_kernel(Scalar index);
AxisKernel reduce_kernel(Code code, Scalar scalar);
AxisKernel scan_kernel(Code code, Scalar scalar);
Kernel contracted_kernel(Contraction form, Scalar scalar);
UndefinedKernel undefined_kernel(Code code, Scalar from, Scalar to);
void dot_f32(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k);
void dot_f64(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k);
void dot_i32(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k);
void half_load(Scalar scalar, const void* bytes, float* out, std::int64_t n);
void half_store(Scalar scalar, const float* in, void* bytes, std::int64_t n);

}  // namespace trl::executor::TRL_EXECUTOR_SET
