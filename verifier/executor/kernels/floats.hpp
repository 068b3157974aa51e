#pragma once
// Functions that return the loop of an operation whose operands and result are floats of one type.
#include "verifier/executor/kernels/elements.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

template <class Operation>
Kernel float_binary(Scalar scalar) {
  return for_float(scalar, []<class E>() -> Kernel { return binary<E, E, Operation>; });
}
template <class Operation>
Kernel float_unary(Scalar scalar) {
  return for_float(scalar, []<class E>() -> Kernel { return unary<E, E, Operation>; });
}

}  // namespace

}  // namespace trl::executor::TRL_EXECUTOR_SET
