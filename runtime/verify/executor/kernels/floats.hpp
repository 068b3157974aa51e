#pragma once
// The loop of an operation on floats of one type.
#include "runtime/verify/executor/kernels/elements.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

template <class Operation>
Kernel float_binary(Scalar scalar) {
  switch (scalar) {
    case Scalar::f16:
      return binary<F16, F16, Operation>;
    case Scalar::bf16:
      return binary<BF16, BF16, Operation>;
    case Scalar::f32:
      return binary<F32, F32, Operation>;
    case Scalar::f64:
      return binary<F64, F64, Operation>;
    default:
      return nullptr;
  }
}
template <class Operation>
Kernel float_unary(Scalar scalar) {
  switch (scalar) {
    case Scalar::f16:
      return unary<F16, F16, Operation>;
    case Scalar::bf16:
      return unary<BF16, BF16, Operation>;
    case Scalar::f32:
      return unary<F32, F32, Operation>;
    case Scalar::f64:
      return unary<F64, F64, Operation>;
    default:
      return nullptr;
  }
}

}  // namespace

}  // namespace trl::executor::TRL_EXECUTOR_SET
