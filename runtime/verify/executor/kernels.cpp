// Compiled once per instruction set; TRL_EXECUTOR_SET names the namespace. Only plain loops and <cmath>:
// nothing inline that the linker could pick for a machine that lacks the instructions.
#include "runtime/verify/executor/kernels.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/verify/executor/half.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

// ---- element types: storage, and what an operation's result must go through to be a value of the type ----

template <class T>
struct Plain {
  using Value = T;
  static T finish(T value) { return value; }
};
struct I1 {
  using Value = std::uint8_t;
  static Value finish(Value value) { return value & 1; }
};
struct F16 {
  using Value = float;
  static float finish(float value) { return half::round_f16(value); }
};
struct BF16 {
  using Value = float;
  static float finish(float value) { return half::round_bf16(value); }
};
using I8 = Plain<std::int8_t>;
using I16 = Plain<std::int16_t>;
using I32 = Plain<std::int32_t>;
using I64 = Plain<std::int64_t>;
using F32 = Plain<float>;
using F64 = Plain<double>;
using Pointer = Plain<std::uint64_t>;

/// The unsigned type in which arithmetic wraps without promotion to int.
template <class T>
using Wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
T wrap(Wide<T> value) {
  return static_cast<T>(value);
}
template <class T>
Wide<T> up(T value) {
  return static_cast<Wide<T>>(static_cast<Unsigned<T>>(value));
}
template <class T>
bool overflows(T a, T b) {
  return b == -1 && a == std::numeric_limits<T>::min();
}

// ---- loops ----

template <class In, class Out, class Operation>
void unary(const Operands& in, void* out, std::int64_t n) {
  const auto* a = static_cast<const typename In::Value*>(in.data[0]);
  auto* r = static_cast<typename Out::Value*>(out);
  if (in.stride[0] == 0) {
    const auto value = Out::finish(Operation::apply(a[0]));
    for (std::int64_t i = 0; i < n; ++i) r[i] = value;
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(a[i]));
}

template <class In, class Out, class Operation>
void binary(const Operands& in, void* out, std::int64_t n) {
  using Value = typename In::Value;
  const auto* a = static_cast<const Value*>(in.data[0]);
  const auto* b = static_cast<const Value*>(in.data[1]);
  auto* r = static_cast<typename Out::Value*>(out);
  if (in.stride[0] != 0 && in.stride[1] != 0) {
    for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(a[i], b[i]));
  } else if (in.stride[0] != 0) {
    const Value y = b[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(a[i], y));
  } else if (in.stride[1] != 0) {
    const Value x = a[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(x, b[i]));
  } else {
    const auto value = Out::finish(Operation::apply(a[0], b[0]));
    for (std::int64_t i = 0; i < n; ++i) r[i] = value;
  }
}

template <class E, class Operation>
void ternary(const Operands& in, void* out, std::int64_t n) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in.data[0]);
  const auto* b = static_cast<const Value*>(in.data[1]);
  const auto* c = static_cast<const Value*>(in.data[2]);
  const std::int64_t sa = in.stride[0], sb = in.stride[1], sc = in.stride[2];
  auto* r = static_cast<Value*>(out);
  if (sa != 0 && sb == 0 && sc == 0) {
    const Value y = b[0], z = c[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = E::finish(Operation::apply(a[i], y, z));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) r[i] = E::finish(Operation::apply(a[i * sa], b[i * sb], c[i * sc]));
}

template <class Value>
void choose(const Operands& in, void* out, std::int64_t n) {
  const auto* condition = static_cast<const std::uint8_t*>(in.data[0]);
  const auto* a = static_cast<const Value*>(in.data[1]);
  const auto* b = static_cast<const Value*>(in.data[2]);
  const std::int64_t sa = in.stride[1], sb = in.stride[2];
  auto* r = static_cast<Value*>(out);
  if (in.stride[0] == 0) {
    const Value* from = condition[0] != 0 ? a : b;
    const std::int64_t stride = condition[0] != 0 ? sa : sb;
    for (std::int64_t i = 0; i < n; ++i) r[i] = from[i * stride];
  } else if (sa != 0 && sb != 0) {
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? a[i] : b[i];
  } else if (sa != 0) {
    const Value y = b[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? a[i] : y;
  } else if (sb != 0) {
    const Value x = a[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? x : b[i];
  } else {
    const Value x = a[0], y = b[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? x : y;
  }
}

/// Pointers are a buffer's tag in the top 16 bits and a biased offset below, see machine.hpp. The offset
/// saturates, so that no arithmetic reaches another buffer.
constexpr std::uint64_t offset_bits = (std::uint64_t{1} << 48) - 1;

template <class Index>
void advance(const Operands& in, void* out, std::int64_t n) {
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const auto* index = static_cast<const Index*>(in.data[1]);
  std::int64_t size;
  std::memcpy(&size, in.data[2], sizeof size);
  const std::int64_t sp = in.stride[0], si = in.stride[1];
  auto* r = static_cast<std::uint64_t*>(out);
  const auto step = [size](std::uint64_t from, Index by) {
    std::int64_t delta = static_cast<std::int64_t>(by);
    if constexpr (sizeof(Index) == 8) {
      constexpr std::int64_t far = std::int64_t{1} << 49;
      delta = delta < -far ? -far : delta > far ? far : delta;
    }
    std::int64_t offset = static_cast<std::int64_t>(from & offset_bits) + delta * size;
    offset = offset < 0 ? 0 : offset;
    offset =
        offset > static_cast<std::int64_t>(offset_bits) ? static_cast<std::int64_t>(offset_bits) : offset;
    return (from & ~offset_bits) | static_cast<std::uint64_t>(offset);
  };
  if (sp != 0 && si != 0) {
    for (std::int64_t i = 0; i < n; ++i) r[i] = step(pointer[i], index[i]);
  } else if (si != 0) {
    const std::uint64_t base = pointer[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = step(base, index[i]);
  } else {
    const Index by = index[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = step(pointer[i * sp], by);
  }
}

// ---- operations ----

#define TRL_BINARY(NAME, EXPRESSION)     \
  struct NAME {                          \
    template <class T>                   \
    static T apply(T a, T b) {           \
      return static_cast<T>(EXPRESSION); \
    }                                    \
  };
TRL_BINARY(AddI, wrap<T>(up(a) + up(b)))
TRL_BINARY(SubI, wrap<T>(up(a) - up(b)))
TRL_BINARY(MulI, wrap<T>(up(a) * up(b)))
// A zero divisor gives all ones; the machine has reported it by then.
TRL_BINARY(DivS, b == 0 ? T(-1) : overflows(a, b) ? a : a / b)
TRL_BINARY(RemS, b == 0 ? a : overflows(a, b) ? T(0) : a % b)
TRL_BINARY(DivU, b == 0 ? T(-1) : static_cast<T>(Unsigned<T>(a) / Unsigned<T>(b)))
TRL_BINARY(RemU, b == 0 ? a : static_cast<T>(Unsigned<T>(a) % Unsigned<T>(b)))
TRL_BINARY(FloorDiv, b == 0            ? T(-1)
                     : overflows(a, b) ? a
                                       : a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0))
TRL_BINARY(CeilDiv, b == 0            ? T(-1)
                    : overflows(a, b) ? a
                                      : a / b + ((a % b != 0) && ((a < 0) == (b < 0)) ? 1 : 0))
TRL_BINARY(CeilDivU, b == 0 ? T(-1)
                            : static_cast<T>(Unsigned<T>(a) / Unsigned<T>(b) +
                                             (Unsigned<T>(a) % Unsigned<T>(b) != 0 ? 1 : 0)))
TRL_BINARY(MinS, b < a ? b : a)
TRL_BINARY(MaxS, a < b ? b : a)
TRL_BINARY(MinU, Unsigned<T>(b) < Unsigned<T>(a) ? b : a)
TRL_BINARY(MaxU, Unsigned<T>(a) < Unsigned<T>(b) ? b : a)
TRL_BINARY(And, a& b)
TRL_BINARY(Or, a | b)
TRL_BINARY(Xor, a ^ b)
TRL_BINARY(AddF, a + b)
TRL_BINARY(SubF, a - b)
TRL_BINARY(MulF, a* b)
TRL_BINARY(DivF, a / b)
TRL_BINARY(RemF, std::fmod(a, b))
TRL_BINARY(MaximumF, (a != a || a > b) ? a : b)
TRL_BINARY(MinimumF, (a != a || a < b) ? a : b)
TRL_BINARY(MaxNumF, (b != b || a > b) ? a : b)
TRL_BINARY(MinNumF, (b != b || a < b) ? a : b)
TRL_BINARY(Pow, std::pow(a, b))
TRL_BINARY(Atan2, std::atan2(a, b))
TRL_BINARY(CopySign, std::copysign(a, b))
TRL_BINARY(FDim, std::fdim(a, b))
TRL_BINARY(Hypot, std::hypot(a, b))
#undef TRL_BINARY

template <class T>
constexpr unsigned width = sizeof(T) * 8;

/// Shifts by the width or more give what shifting bit by bit would.
struct ShiftLeft {
  template <class T>
  static T apply(T a, T b) {
    const Wide<T> by = up(b);
    return by >= width<T> ? T(0) : wrap<T>(up(a) << by);
  }
};
struct ShiftRightS {
  template <class T>
  static T apply(T a, T b) {
    const Wide<T> by = up(b) >= width<T> ? width<T> - 1 : up(b);
    return static_cast<T>(a >> by);
  }
};
struct ShiftRightU {
  template <class T>
  static T apply(T a, T b) {
    const Wide<T> by = up(b);
    return by >= width<T> ? T(0) : wrap<T>(up(a) >> by);
  }
};
struct MulHigh {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>((std::uint64_t{up(a)} * std::uint64_t{up(b)}) >> 32);
  }
  static std::int64_t apply(std::int64_t a, std::int64_t b) {
    __extension__ using U128 = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>((U128{up(a)} * U128{up(b)}) >> 64));
  }
};

#define TRL_UNARY(NAME, EXPRESSION) \
  struct NAME {                     \
    template <class T>              \
    static auto apply(T a) {        \
      return EXPRESSION;            \
    }                               \
  };
TRL_UNARY(AbsI, a < 0 ? wrap<T>(Wide<T>{0} - up(a)) : a)
TRL_UNARY(PopCount, static_cast<T>(__builtin_popcountll(static_cast<std::uint64_t>(up(a)))))
TRL_UNARY(LeadingZeros,
          static_cast<T>(up(a) == 0
                             ? width<T>
                             : static_cast<unsigned>(__builtin_clzll(static_cast<std::uint64_t>(up(a)))) -
                                   (64 - width<T>)))
TRL_UNARY(NegF, -a)
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
TRL_UNARY(AbsF, std::fabs(a))
TRL_UNARY(Erf, std::erf(a))
TRL_UNARY(Erfc, std::erfc(a))
TRL_UNARY(Floor, std::floor(a))
TRL_UNARY(Ceil, std::ceil(a))
TRL_UNARY(Trunc, std::trunc(a))
TRL_UNARY(Round, std::round(a))
TRL_UNARY(Rint, std::nearbyint(a))
TRL_UNARY(Reciprocal, T(1) / a)
TRL_UNARY(LGamma, std::lgamma(a))
TRL_UNARY(TGamma, std::tgamma(a))
TRL_UNARY(IsNan, std::int32_t{a != a})
TRL_UNARY(IsInf, std::int32_t{std::fabs(a) == std::numeric_limits<T>::infinity()})
TRL_UNARY(IsFinite, std::int32_t{std::fabs(a) < std::numeric_limits<T>::infinity()})
TRL_UNARY(SignBit, std::int32_t{std::signbit(a)})
TRL_UNARY(Same, a)
#undef TRL_UNARY

struct Fma {
  template <class T>
  static T apply(T a, T b, T c) {
    return std::fma(a, b, c);
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

/// From one storage type to another by value; what doesn't fit saturates as PTX's cvt does, NaN gives 0.
template <class From, class To>
struct Convert {
  static typename To::Value apply(typename From::Value a) { return static_cast<typename To::Value>(a); }
};
template <class From, class To>
struct Extend {
  static typename To::Value apply(typename From::Value a) {
    if constexpr (std::is_same_v<From, I1>) {
      return static_cast<typename To::Value>(-static_cast<int>(a));
    } else {
      return static_cast<typename To::Value>(a);
    }
  }
};
template <class From, class To>
struct ExtendUnsigned {
  static typename To::Value apply(typename From::Value a) { return static_cast<typename To::Value>(up(a)); }
};
template <class From, class To>
struct SignedToFloat {
  static typename To::Value apply(typename From::Value a) {
    if constexpr (std::is_same_v<From, I1>) {
      return static_cast<typename To::Value>(-static_cast<int>(a));
    } else {
      return static_cast<typename To::Value>(a);
    }
  }
};
template <class From, class To>
struct FloatToSigned {
  using T = typename To::Value;
  static T apply(typename From::Value a) {
    using Float = typename From::Value;
    constexpr Float low = static_cast<Float>(std::numeric_limits<T>::min());
    if (!(a == a)) return 0;
    if (a <= low) return std::numeric_limits<T>::min();
    if (a >= -low) return std::numeric_limits<T>::max();
    return static_cast<T>(a);
  }
};
template <class From, class To>
struct FloatToUnsigned {
  using T = typename To::Value;
  static T apply(typename From::Value a) {
    using Float = typename From::Value;
    constexpr Float top = static_cast<Float>(std::uint64_t{1} << (width<T> - 1)) * 2;
    if (!(a > 0)) return 0;
    if (a >= top) return static_cast<T>(-1);
    return static_cast<T>(static_cast<Unsigned<T>>(a));
  }
};

// ---- selection ----

template <class Operation>
Kernel integer_binary(Scalar scalar) {
  switch (scalar) {
    case Scalar::i8:
      return binary<I8, I8, Operation>;
    case Scalar::i16:
      return binary<I16, I16, Operation>;
    case Scalar::i32:
      return binary<I32, I32, Operation>;
    case Scalar::i64:
      return binary<I64, I64, Operation>;
    default:
      return nullptr;
  }
}
template <class Operation>
Kernel bit_binary(Scalar scalar) {
  return scalar == Scalar::i1 ? binary<I1, I1, Operation> : integer_binary<Operation>(scalar);
}
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
Kernel integer_unary(Scalar scalar) {
  switch (scalar) {
    case Scalar::i8:
      return unary<I8, I8, Operation>;
    case Scalar::i16:
      return unary<I16, I16, Operation>;
    case Scalar::i32:
      return unary<I32, I32, Operation>;
    case Scalar::i64:
      return unary<I64, I64, Operation>;
    default:
      return nullptr;
  }
}
template <class Operation>
Kernel float_ternary(Scalar scalar) {
  switch (scalar) {
    case Scalar::f16:
      return ternary<F16, Operation>;
    case Scalar::bf16:
      return ternary<BF16, Operation>;
    case Scalar::f32:
      return ternary<F32, Operation>;
    case Scalar::f64:
      return ternary<F64, Operation>;
    default:
      return nullptr;
  }
}
/// `OneBit` is the operation on i1, whose 1 is -1 when it is signed.
template <class Operation, class OneBit = Operation>
Kernel integer_compare(Scalar scalar) {
  switch (scalar) {
    case Scalar::i1:
      return binary<I1, I1, OneBit>;
    case Scalar::i8:
      return binary<I8, I1, Operation>;
    case Scalar::i16:
      return binary<I16, I1, Operation>;
    case Scalar::i32:
      return binary<I32, I1, Operation>;
    case Scalar::i64:
      return binary<I64, I1, Operation>;
    default:
      return nullptr;
  }
}
template <class Operation>
Kernel float_compare(Scalar scalar) {
  switch (scalar) {
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

template <template <class, class> class Operation, class From>
Kernel to_integer(Scalar to) {
  switch (to) {
    case Scalar::i1:
      return unary<From, I1, Operation<From, I1>>;
    case Scalar::i8:
      return unary<From, I8, Operation<From, I8>>;
    case Scalar::i16:
      return unary<From, I16, Operation<From, I16>>;
    case Scalar::i32:
      return unary<From, I32, Operation<From, I32>>;
    case Scalar::i64:
      return unary<From, I64, Operation<From, I64>>;
    default:
      return nullptr;
  }
}
template <template <class, class> class Operation, class From>
Kernel to_float(Scalar to) {
  switch (to) {
    case Scalar::f16:
      return unary<From, F16, Operation<From, F16>>;
    case Scalar::bf16:
      return unary<From, BF16, Operation<From, BF16>>;
    case Scalar::f32:
      return unary<From, F32, Operation<From, F32>>;
    case Scalar::f64:
      return unary<From, F64, Operation<From, F64>>;
    default:
      return nullptr;
  }
}
template <template <class, class> class Operation>
Kernel integer_to_integer(Scalar from, Scalar to) {
  switch (from) {
    case Scalar::i1:
      return to_integer<Operation, I1>(to);
    case Scalar::i8:
      return to_integer<Operation, I8>(to);
    case Scalar::i16:
      return to_integer<Operation, I16>(to);
    case Scalar::i32:
      return to_integer<Operation, I32>(to);
    case Scalar::i64:
      return to_integer<Operation, I64>(to);
    default:
      return nullptr;
  }
}
template <template <class, class> class Operation>
Kernel integer_to_float(Scalar from, Scalar to) {
  switch (from) {
    case Scalar::i1:
      return to_float<Operation, I1>(to);
    case Scalar::i8:
      return to_float<Operation, I8>(to);
    case Scalar::i16:
      return to_float<Operation, I16>(to);
    case Scalar::i32:
      return to_float<Operation, I32>(to);
    case Scalar::i64:
      return to_float<Operation, I64>(to);
    default:
      return nullptr;
  }
}
template <template <class, class> class Operation, class From>
Kernel to_wide_integer(Scalar to) {
  switch (to) {
    case Scalar::i8:
      return unary<From, I8, Operation<From, I8>>;
    case Scalar::i16:
      return unary<From, I16, Operation<From, I16>>;
    case Scalar::i32:
      return unary<From, I32, Operation<From, I32>>;
    case Scalar::i64:
      return unary<From, I64, Operation<From, I64>>;
    default:
      return nullptr;
  }
}
template <template <class, class> class Operation>
Kernel float_to_integer(Scalar from, Scalar to) {
  if (!is_float(from)) return nullptr;
  return from == Scalar::f64 ? to_wide_integer<Operation, F64>(to) : to_wide_integer<Operation, F32>(to);
}
Kernel float_to_float(Scalar from, Scalar to) {
  if (!is_float(from)) return nullptr;
  return from == Scalar::f64 ? to_float<Convert, F64>(to) : to_float<Convert, F32>(to);
}

struct TruncateF16 {
  static float apply(float a) { return half::truncate_f16(a); }
};
struct TruncateBF16 {
  static float apply(float a) { return half::truncate_bf16(a); }
};

/// Bits of a stored value as memory holds them, and back.
template <class Value, class Bits>
struct SameBits {
  static Bits to(Value value) {
    Bits out;
    static_assert(sizeof out == sizeof value);
    std::memcpy(&out, &value, sizeof out);
    return out;
  }
};
struct F16ToBits {
  static std::int16_t apply(float a) { return static_cast<std::int16_t>(half::to_f16_bits(a)); }
};
struct BF16ToBits {
  static std::int16_t apply(float a) { return static_cast<std::int16_t>(half::to_bf16_bits(a)); }
};
struct BitsToF16 {
  static float apply(std::int16_t a) { return half::from_f16_bits(static_cast<std::uint16_t>(a)); }
};
struct BitsToBF16 {
  static float apply(std::int16_t a) { return half::from_bf16_bits(static_cast<std::uint16_t>(a)); }
};
struct F16ToBF16Bits {
  static float apply(float a) { return half::from_bf16_bits(half::to_f16_bits(a)); }
};
struct BF16ToF16Bits {
  static float apply(float a) { return half::from_f16_bits(half::to_bf16_bits(a)); }
};

Kernel bitcast_kernel(Scalar from, Scalar to) {
  if ((from == Scalar::ptr) != (to == Scalar::ptr)) return nullptr;
  if (memory_bytes(from) != memory_bytes(to) || (from == Scalar::i1) != (to == Scalar::i1)) return nullptr;
  if (memory_bytes(from) == 2) {
    if (from == to) return from == Scalar::i16 ? unary<I16, I16, Same> : unary<F32, F32, Same>;
    if (from == Scalar::f16)
      return to == Scalar::i16 ? unary<F32, I16, F16ToBits> : unary<F32, F32, F16ToBF16Bits>;
    if (from == Scalar::bf16)
      return to == Scalar::i16 ? unary<F32, I16, BF16ToBits> : unary<F32, F32, BF16ToF16Bits>;
    return to == Scalar::f16 ? unary<I16, F32, BitsToF16> : unary<I16, F32, BitsToBF16>;
  }
  switch (memory_bytes(from)) {
    case 1:
      return unary<I8, I8, Same>;
    case 4:
      return unary<I32, I32, Same>;
    default:
      return unary<I64, I64, Same>;
  }
}

Kernel copy_kernel(Scalar scalar) {
  switch (storage_bytes(scalar)) {
    case 1:
      return unary<I8, I8, Same>;
    case 2:
      return unary<I16, I16, Same>;
    case 4:
      return unary<I32, I32, Same>;
    default:
      return unary<I64, I64, Same>;
  }
}

Kernel select_kernel(Scalar scalar) {
  switch (storage_bytes(scalar)) {
    case 1:
      return choose<std::uint8_t>;
    case 2:
      return choose<std::int16_t>;
    case 4:
      return choose<std::int32_t>;
    default:
      return choose<std::int64_t>;
  }
}

Kernel elementwise(Code code, Scalar from, Scalar to) {
  switch (code) {
    case Code::addi:
      return bit_binary<AddI>(from);
    case Code::subi:
      return bit_binary<SubI>(from);
    case Code::muli:
      return bit_binary<MulI>(from);
    case Code::divsi:
      return integer_binary<DivS>(from);
    case Code::divui:
      return integer_binary<DivU>(from);
    case Code::remsi:
      return integer_binary<RemS>(from);
    case Code::remui:
      return integer_binary<RemU>(from);
    case Code::floordivsi:
      return integer_binary<FloorDiv>(from);
    case Code::ceildivsi:
      return integer_binary<CeilDiv>(from);
    case Code::ceildivui:
      return integer_binary<CeilDivU>(from);
    // On i1 a signed 1 is -1: the least of two is their or.
    case Code::minsi:
      return from == Scalar::i1 ? binary<I1, I1, Or> : integer_binary<MinS>(from);
    case Code::maxsi:
      return from == Scalar::i1 ? binary<I1, I1, And> : integer_binary<MaxS>(from);
    case Code::minui:
      return bit_binary<MinU>(from);
    case Code::maxui:
      return bit_binary<MaxU>(from);
    case Code::andi:
      return bit_binary<And>(from);
    case Code::ori:
      return bit_binary<Or>(from);
    case Code::xori:
      return bit_binary<Xor>(from);
    case Code::shli:
      return integer_binary<ShiftLeft>(from);
    case Code::shrsi:
      return integer_binary<ShiftRightS>(from);
    case Code::shrui:
      return integer_binary<ShiftRightU>(from);
    case Code::mulhiui:
      return from == Scalar::i32   ? binary<I32, I32, MulHigh>
             : from == Scalar::i64 ? binary<I64, I64, MulHigh>
                                   : nullptr;
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
    case Code::powf:
      return float_binary<Pow>(from);
    case Code::atan2:
      return float_binary<Atan2>(from);
    case Code::copysign:
      return float_binary<CopySign>(from);
    case Code::fdim:
      return float_binary<FDim>(from);
    case Code::hypot:
      return float_binary<Hypot>(from);
    case Code::absi:
      return integer_unary<AbsI>(from);
    case Code::popcount:
      return integer_unary<PopCount>(from);
    case Code::leading_zeros:
      return integer_unary<LeadingZeros>(from);
    case Code::negf:
      return float_unary<NegF>(from);
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
    case Code::absf:
      return float_unary<AbsF>(from);
    case Code::erf:
      return float_unary<Erf>(from);
    case Code::erfc:
      return float_unary<Erfc>(from);
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
    case Code::lgamma:
      return float_unary<LGamma>(from);
    case Code::tgamma:
      return float_unary<TGamma>(from);
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
    case Code::select:
      return select_kernel(from);
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
    case Code::extsi:
      return integer_to_integer<Extend>(from, to);
    case Code::extui:
      return integer_to_integer<ExtendUnsigned>(from, to);
    case Code::trunci:
      return integer_to_integer<Convert>(from, to);
    case Code::extf:
    case Code::truncf:
      return float_to_float(from, to);
    case Code::truncf_rtz:
      if (from != Scalar::f32) return nullptr;
      return to == Scalar::f16    ? unary<F32, F32, TruncateF16>
             : to == Scalar::bf16 ? unary<F32, F32, TruncateBF16>
                                  : nullptr;
    case Code::sitofp:
      return integer_to_float<SignedToFloat>(from, to);
    case Code::uitofp:
      switch (from) {
        case Scalar::i1:
          return to_float<ExtendUnsigned, I1>(to);
        case Scalar::i8:
          return to_float<ExtendUnsigned, I8>(to);
        case Scalar::i16:
          return to_float<ExtendUnsigned, I16>(to);
        case Scalar::i32:
          return to_float<ExtendUnsigned, I32>(to);
        case Scalar::i64:
          return to_float<ExtendUnsigned, I64>(to);
        default:
          return nullptr;
      }
    case Code::fptosi:
      return float_to_integer<FloatToSigned>(from, to);
    case Code::fptoui:
      return float_to_integer<FloatToUnsigned>(from, to);
    case Code::bitcast:
      return bitcast_kernel(from, to);
    case Code::copy:
      return from == to ? copy_kernel(from) : nullptr;
    default:
      return nullptr;
  }
}

Kernel addptr(Scalar index) {
  switch (index) {
    case Scalar::i8:
      return advance<std::int8_t>;
    case Scalar::i16:
      return advance<std::int16_t>;
    case Scalar::i32:
      return advance<std::int32_t>;
    case Scalar::i64:
      return advance<std::int64_t>;
    default:
      return nullptr;
  }
}

// ---- along an axis ----

constexpr std::int64_t lanes = 16;

/// Sums in a fixed order: 16 running lanes, then a tree over them, as a warp would.
template <class E, class Operation>
void reduce_axis(const void* in, void* out, const Axis& axis, bool) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in);
  auto* r = static_cast<Value*>(out);
  for (std::int64_t o = 0; o < axis.outer; ++o, a += axis.length * axis.inner, r += axis.inner) {
    if (axis.inner != 1) {
      for (std::int64_t i = 0; i < axis.inner; ++i) r[i] = a[i];
      for (std::int64_t k = 1; k < axis.length; ++k) {
        const Value* row = a + k * axis.inner;
        for (std::int64_t i = 0; i < axis.inner; ++i) r[i] = E::finish(Operation::apply(r[i], row[i]));
      }
      continue;
    }
    Value running[lanes];
    const std::int64_t wide = axis.length < lanes ? axis.length : lanes;
    for (std::int64_t i = 0; i < wide; ++i) running[i] = a[i];
    std::int64_t k = wide;
    for (; k + lanes <= axis.length; k += lanes) {
      for (std::int64_t i = 0; i < lanes; ++i) running[i] = E::finish(Operation::apply(running[i], a[k + i]));
    }
    for (std::int64_t i = 0; k + i < axis.length; ++i)
      running[i] = E::finish(Operation::apply(running[i], a[k + i]));
    for (std::int64_t count = wide; count > 1;) {
      const std::int64_t half_way = (count + 1) / 2;
      for (std::int64_t i = 0; i + half_way < count; ++i) {
        running[i] = E::finish(Operation::apply(running[i], running[i + half_way]));
      }
      count = half_way;
    }
    r[0] = running[0];
  }
}

template <class E, class Operation>
void scan_axis(const void* in, void* out, const Axis& axis, bool reverse) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in);
  auto* r = static_cast<Value*>(out);
  const std::int64_t step = reverse ? -axis.inner : axis.inner;
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    std::int64_t at = o * axis.length * axis.inner + (reverse ? (axis.length - 1) * axis.inner : 0);
    for (std::int64_t i = 0; i < axis.inner; ++i) r[at + i] = a[at + i];
    for (std::int64_t k = 1; k < axis.length; ++k) {
      at += step;
      for (std::int64_t i = 0; i < axis.inner; ++i) {
        r[at + i] = E::finish(Operation::apply(r[at - step + i], a[at + i]));
      }
    }
  }
}

template <class Operation>
AxisKernel float_axis(Scalar scalar, bool scan) {
  switch (scalar) {
    case Scalar::f16:
      return scan ? scan_axis<F16, Operation> : reduce_axis<F16, Operation>;
    case Scalar::bf16:
      return scan ? scan_axis<BF16, Operation> : reduce_axis<BF16, Operation>;
    case Scalar::f32:
      return scan ? scan_axis<F32, Operation> : reduce_axis<F32, Operation>;
    case Scalar::f64:
      return scan ? scan_axis<F64, Operation> : reduce_axis<F64, Operation>;
    default:
      return nullptr;
  }
}
template <class Operation>
AxisKernel integer_axis(Scalar scalar, bool scan) {
  switch (scalar) {
    case Scalar::i32:
      return scan ? scan_axis<I32, Operation> : reduce_axis<I32, Operation>;
    case Scalar::i64:
      return scan ? scan_axis<I64, Operation> : reduce_axis<I64, Operation>;
    default:
      return nullptr;
  }
}

AxisKernel along(Code code, Scalar scalar, bool scan) {
  switch (code) {
    case Code::addf:
      return float_axis<AddF>(scalar, scan);
    case Code::mulf:
      return float_axis<MulF>(scalar, scan);
    case Code::maxnumf:
      return float_axis<MaxNumF>(scalar, scan);
    case Code::minnumf:
      return float_axis<MinNumF>(scalar, scan);
    case Code::maximumf:
      return float_axis<MaximumF>(scalar, scan);
    case Code::minimumf:
      return float_axis<MinimumF>(scalar, scan);
    case Code::addi:
      return integer_axis<AddI>(scalar, scan);
    case Code::maxsi:
      return integer_axis<MaxS>(scalar, scan);
    case Code::minsi:
      return integer_axis<MinS>(scalar, scan);
    case Code::xori:
      return integer_axis<Xor>(scalar, scan);
    default:
      return nullptr;
  }
}
AxisKernel reduce(Code code, Scalar scalar) { return along(code, scalar, false); }
AxisKernel scan(Code code, Scalar scalar) { return along(code, scalar, true); }

// ---- dot ----

/// Each element's products are added in the order of k, one rounding each: the bits don't depend on the
/// machine.
template <class T>
void dot(const void* a_data, const void* b_data, void* c_data, std::int64_t m, std::int64_t n,
         std::int64_t k) {
  const auto* a = static_cast<const T*>(a_data);
  const auto* b = static_cast<const T*>(b_data);
  auto* c = static_cast<T*>(c_data);
  constexpr std::int64_t tile = 32;
  std::int64_t i = 0;
  for (; i + 4 <= m; i += 4) {
    std::int64_t j = 0;
    for (; j + tile <= n; j += tile) {
      T sum[4][tile];
      for (std::int64_t r = 0; r < 4; ++r) {
        for (std::int64_t s = 0; s < tile; ++s) sum[r][s] = c[(i + r) * n + j + s];
      }
      for (std::int64_t p = 0; p < k; ++p) {
        const T* row = b + p * n + j;
        const T x0 = a[i * k + p], x1 = a[(i + 1) * k + p], x2 = a[(i + 2) * k + p], x3 = a[(i + 3) * k + p];
        for (std::int64_t s = 0; s < tile; ++s) {
          sum[0][s] += x0 * row[s];
          sum[1][s] += x1 * row[s];
          sum[2][s] += x2 * row[s];
          sum[3][s] += x3 * row[s];
        }
      }
      for (std::int64_t r = 0; r < 4; ++r) {
        for (std::int64_t s = 0; s < tile; ++s) c[(i + r) * n + j + s] = sum[r][s];
      }
    }
    for (std::int64_t r = 0; r < 4 && j < n; ++r) {
      for (std::int64_t p = 0; p < k; ++p) {
        const T x = a[(i + r) * k + p];
        for (std::int64_t s = j; s < n; ++s) c[(i + r) * n + s] += x * b[p * n + s];
      }
    }
  }
  for (; i < m; ++i) {
    for (std::int64_t p = 0; p < k; ++p) {
      const T x = a[i * k + p];
      for (std::int64_t s = 0; s < n; ++s) c[i * n + s] += x * b[p * n + s];
    }
  }
}

void half_load(Scalar scalar, const void* bytes, float* out, std::int64_t n) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, from + 2 * i, 2);
    out[i] = scalar == Scalar::f16 ? half::from_f16_bits(bits) : half::from_bf16_bits(bits);
  }
}

void half_store(Scalar scalar, const float* in, void* bytes, std::int64_t n) {
  auto* to = static_cast<unsigned char*>(bytes);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint16_t bits = scalar == Scalar::f16 ? half::to_f16_bits(in[i]) : half::to_bf16_bits(in[i]);
    std::memcpy(to + 2 * i, &bits, 2);
  }
}

}  // namespace

extern const KernelSet set;
const KernelSet set = {elementwise,        addptr,    reduce,    scan, dot<float>, dot<double>,
                       dot<std::uint32_t>, half_load, half_store};

}  // namespace trl::executor::TRL_EXECUTOR_SET
