// Functions of floats, as <cmath> rounds them.
#include "runtime/verify/executor/kernels/families.hpp"
#include "runtime/verify/executor/kernels/floats.hpp"
#include "runtime/verify/executor/kernels/operations.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

TRL_UNARY(Exp, std::exp(a))
TRL_UNARY(Exp2, std::exp2(a))
TRL_UNARY(Exp10, std::pow(T(10), a))
TRL_UNARY(Log, std::log(a))
TRL_UNARY(Log2, std::log2(a))
TRL_UNARY(Log10, std::log10(a))
TRL_UNARY(Log1p, std::log1p(a))
TRL_UNARY(Expm1, std::expm1(a))
TRL_UNARY(Sin, std::sin(a))
TRL_UNARY(Cos, std::cos(a))
TRL_UNARY(Tan, std::tan(a))
TRL_UNARY(Sinh, std::sinh(a))
TRL_UNARY(Cosh, std::cosh(a))
TRL_UNARY(Tanh, std::tanh(a))
TRL_UNARY(Asin, std::asin(a))
TRL_UNARY(Acos, std::acos(a))
TRL_UNARY(Atan, std::atan(a))
TRL_UNARY(Asinh, std::asinh(a))
TRL_UNARY(Acosh, std::acosh(a))
TRL_UNARY(Atanh, std::atanh(a))
TRL_UNARY(Sqrt, std::sqrt(a))
TRL_UNARY(Rsqrt, T(1) / std::sqrt(a))
TRL_UNARY(Cbrt, std::cbrt(a))
TRL_UNARY(Erf, std::erf(a))
TRL_UNARY(Erfc, std::erfc(a))
TRL_UNARY(LGamma, std::lgamma(a))
TRL_UNARY(TGamma, std::tgamma(a))
TRL_BINARY(Pow, std::pow(a, b))
TRL_BINARY(Atan2, std::atan2(a, b))
TRL_BINARY(Hypot, std::hypot(a, b))

}  // namespace

Kernel math_kernel(Code code, Scalar from) {
  switch (code) {
    case Code::powf:
      return float_binary<Pow>(from);
    case Code::atan2:
      return float_binary<Atan2>(from);
    case Code::hypot:
      return float_binary<Hypot>(from);
    case Code::exp:
      return float_unary<Exp>(from);
    case Code::exp2:
      return float_unary<Exp2>(from);
    case Code::exp10:
      return float_unary<Exp10>(from);
    case Code::log:
      return float_unary<Log>(from);
    case Code::log2:
      return float_unary<Log2>(from);
    case Code::log10:
      return float_unary<Log10>(from);
    case Code::log1p:
      return float_unary<Log1p>(from);
    case Code::expm1:
      return float_unary<Expm1>(from);
    case Code::sin:
      return float_unary<Sin>(from);
    case Code::cos:
      return float_unary<Cos>(from);
    case Code::tan:
      return float_unary<Tan>(from);
    case Code::sinh:
      return float_unary<Sinh>(from);
    case Code::cosh:
      return float_unary<Cosh>(from);
    case Code::tanh:
      return float_unary<Tanh>(from);
    case Code::asin:
      return float_unary<Asin>(from);
    case Code::acos:
      return float_unary<Acos>(from);
    case Code::atan:
      return float_unary<Atan>(from);
    case Code::asinh:
      return float_unary<Asinh>(from);
    case Code::acosh:
      return float_unary<Acosh>(from);
    case Code::atanh:
      return float_unary<Atanh>(from);
    case Code::sqrt:
      return float_unary<Sqrt>(from);
    case Code::rsqrt:
      return float_unary<Rsqrt>(from);
    case Code::cbrt:
      return float_unary<Cbrt>(from);
    case Code::erf:
      return float_unary<Erf>(from);
    case Code::erfc:
      return float_unary<Erfc>(from);
    case Code::lgamma:
      return float_unary<LGamma>(from);
    case Code::tgamma:
      return float_unary<TGamma>(from);
    default:
      return nullptr;
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
