// Arithmetic on floats, with one rounding per operation to the type of the block.
#include "verifier/executor/kernels/floats.hpp"
#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/kernels/operations.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

TRL_UNARY(NegF, -a)
TRL_UNARY(AbsF, std::fabs(a))
TRL_UNARY(Floor, std::floor(a))
TRL_UNARY(Ceil, std::ceil(a))
TRL_UNARY(Trunc, std::trunc(a))
TRL_UNARY(Round, std::round(a))
TRL_UNARY(Rint, std::nearbyint(a))
TRL_UNARY(Reciprocal, T(1) / a)
TRL_UNARY(IsNan, std::int32_t{a != a})
TRL_UNARY(IsInf, std::int32_t{std::fabs(a) == std::numeric_limits<T>::infinity()})
TRL_UNARY(IsFinite, std::int32_t{std::fabs(a) < std::numeric_limits<T>::infinity()})
TRL_UNARY(SignBit, std::int32_t{std::signbit(a)})
TRL_BINARY(CopySign, std::copysign(a, b))
TRL_BINARY(FDim, std::fdim(a, b))

struct Fma {
  template <class T>
  static T apply(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct MulSub {
  template <class T>
  static T apply(T a, T b, T c) {
    return std::fma(a, b, -c);
  }
};
struct SubMul {
  template <class T>
  static T apply(T a, T b, T c) {
    return std::fma(-a, b, c);
  }
};
struct Clamp {
  template <class T>
  static T apply(T x, T low, T high) {
    return MinNumF::apply(MaxNumF::apply(x, low), high);
  }
};
struct ClampNan {
  template <class T>
  static T apply(T x, T low, T high) {
    return MinimumF::apply(MaximumF::apply(x, low), high);
  }
};

template <class Operation>
Kernel float_test(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return unary<F32, I32, Operation>;
    case Scalar::f64:
      return unary<F64, I32, Operation>;
    default:
      return nullptr;
  }
}
template <class Operation>
Kernel float_ternary(Scalar scalar) {
  return for_float(scalar, []<class E>() -> Kernel { return ternary<E, Operation>; });
}

}  // namespace

Kernel float_kernel(Code code, Scalar from) {
  switch (code) {
    case Code::addf:
      return float_binary<AddF>(from);
    case Code::subf:
      return float_binary<SubF>(from);
    case Code::mulf:
      return float_binary<MulF>(from);
    case Code::divf:
      return float_binary<DivF>(from);
    case Code::remf:
      return float_binary<RemF>(from);
    case Code::maximumf:
      return float_binary<MaximumF>(from);
    case Code::minimumf:
      return float_binary<MinimumF>(from);
    case Code::maxnumf:
      return float_binary<MaxNumF>(from);
    case Code::minnumf:
      return float_binary<MinNumF>(from);
    case Code::copysign:
      return float_binary<CopySign>(from);
    case Code::fdim:
      return float_binary<FDim>(from);
    case Code::negf:
      return float_unary<NegF>(from);
    case Code::absf:
      return float_unary<AbsF>(from);
    case Code::floor:
      return float_unary<Floor>(from);
    case Code::ceil:
      return float_unary<Ceil>(from);
    case Code::trunc:
      return float_unary<Trunc>(from);
    case Code::round:
      return float_unary<Round>(from);
    case Code::rint:
      return float_unary<Rint>(from);
    case Code::reciprocal:
      return float_unary<Reciprocal>(from);
    case Code::isnan:
      return float_test<IsNan>(from);
    case Code::isinf:
      return float_test<IsInf>(from);
    case Code::isfinite:
      return float_test<IsFinite>(from);
    case Code::signbit:
      return float_test<SignBit>(from);
    case Code::fma:
      return float_ternary<Fma>(from);
    case Code::clampf:
      return float_ternary<Clamp>(from);
    case Code::clampf_nan:
      return float_ternary<ClampNan>(from);
    default:
      return nullptr;
  }
}

Kernel contracted_kernel(Contraction form, Scalar scalar) {
  switch (form) {
    case Contraction::add:
      return float_ternary<Fma>(scalar);
    case Contraction::subtract:
      return float_ternary<MulSub>(scalar);
    case Contraction::subtract_product:
      return float_ternary<SubMul>(scalar);
  }
  return nullptr;
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
