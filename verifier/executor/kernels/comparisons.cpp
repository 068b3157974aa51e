// Comparisons, whose results are i1.
#include "verifier/executor/kernels/elements.hpp"
#include "verifier/executor/kernels/families.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

#define TRL_COMPARE(NAME, EXPRESSION)                         \
  struct NAME {                                               \
    template <class T>                                        \
    static std::uint8_t apply(T a, T b) {                     \
      return static_cast<std::uint8_t>((EXPRESSION) ? 1 : 0); \
    }                                                         \
  };
TRL_COMPARE(Eq, a == b)
TRL_COMPARE(Ne, a != b)
TRL_COMPARE(Slt, a < b)
TRL_COMPARE(Sle, a <= b)
TRL_COMPARE(Sgt, a > b)
TRL_COMPARE(Sge, a >= b)
TRL_COMPARE(Ult, up(a) < up(b))
TRL_COMPARE(Ule, up(a) <= up(b))
TRL_COMPARE(Ugt, up(a) > up(b))
TRL_COMPARE(Uge, up(a) >= up(b))
TRL_COMPARE(One, a<b || a> b)
TRL_COMPARE(Ord, a == a && b == b)
TRL_COMPARE(Ueq, !(a < b || a > b))
TRL_COMPARE(Ugtf, !(a <= b))
TRL_COMPARE(Ugef, !(a < b))
TRL_COMPARE(Ultf, !(a >= b))
TRL_COMPARE(Ulef, !(a > b))
TRL_COMPARE(Uno, a != a || b != b)
TRL_COMPARE(Never, (static_cast<void>(a), static_cast<void>(b), false))
TRL_COMPARE(Always, (static_cast<void>(a), static_cast<void>(b), true))
#undef TRL_COMPARE

/// `OneBit` is the operation on i1, in which a signed 1 means -1.
template <class Operation, class OneBit = Operation>
Kernel integer_compare(Scalar scalar) {
  if (scalar == Scalar::i1) return binary<I1, I1, OneBit>;
  return for_integer(scalar, []<class E>() -> Kernel { return binary<E, I1, Operation>; });
}
template <class Operation>
Kernel float_compare(Scalar scalar) {
  switch (scalar) {
    case Scalar::f8e4m3:
    case Scalar::f8e5m2:
    case Scalar::f16:
    case Scalar::bf16:
    case Scalar::f32:
      return binary<F32, I1, Operation>;
    case Scalar::f64:
      return binary<F64, I1, Operation>;
    default:
      return nullptr;
  }
}

}  // namespace

Kernel comparison_kernel(Code code, Scalar from) {
  switch (code) {
    case Code::cmpi_eq:
      return integer_compare<Eq>(from);
    case Code::cmpi_ne:
      return integer_compare<Ne>(from);
    case Code::cmpi_slt:
      return integer_compare<Slt, Ugt>(from);
    case Code::cmpi_sle:
      return integer_compare<Sle, Uge>(from);
    case Code::cmpi_sgt:
      return integer_compare<Sgt, Ult>(from);
    case Code::cmpi_sge:
      return integer_compare<Sge, Ule>(from);
    case Code::cmpi_ult:
      return integer_compare<Ult>(from);
    case Code::cmpi_ule:
      return integer_compare<Ule>(from);
    case Code::cmpi_ugt:
      return integer_compare<Ugt>(from);
    case Code::cmpi_uge:
      return integer_compare<Uge>(from);
    case Code::cmpf_false:
      return float_compare<Never>(from);
    case Code::cmpf_oeq:
      return float_compare<Eq>(from);
    case Code::cmpf_ogt:
      return float_compare<Sgt>(from);
    case Code::cmpf_oge:
      return float_compare<Sge>(from);
    case Code::cmpf_olt:
      return float_compare<Slt>(from);
    case Code::cmpf_ole:
      return float_compare<Sle>(from);
    case Code::cmpf_one:
      return float_compare<One>(from);
    case Code::cmpf_ord:
      return float_compare<Ord>(from);
    case Code::cmpf_ueq:
      return float_compare<Ueq>(from);
    case Code::cmpf_ugt:
      return float_compare<Ugtf>(from);
    case Code::cmpf_uge:
      return float_compare<Ugef>(from);
    case Code::cmpf_ult:
      return float_compare<Ultf>(from);
    case Code::cmpf_ule:
      return float_compare<Ulef>(from);
    case Code::cmpf_une:
      return float_compare<Ne>(from);
    case Code::cmpf_uno:
      return float_compare<Uno>(from);
    case Code::cmpf_true:
      return float_compare<Always>(from);
    default:
      return nullptr;
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
