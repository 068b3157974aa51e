#pragma once
// Operations on elements that more than one family of loops uses.
#include "verifier/executor/kernels/elements.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

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
// An integer division by zero gives -1 (all bits set) and a remainder by zero the dividend; the machine has
// reported the division by zero before.
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

#define TRL_UNARY(NAME, EXPRESSION) \
  struct NAME {                     \
    template <class T>              \
    static auto apply(T a) {        \
      return EXPRESSION;            \
    }                               \
  };
TRL_UNARY(Same, a)

/// Converts a float to a signed integer, rounding towards zero. Saturates as PTX's cvt does; NaN gives 0.
template <class From, class To>
struct FloatToSigned {
  using T = typename To::Value;
  using Float = typename From::Value;
  static T apply(Float a) {
    using Target = std::conditional_t<sizeof(T) == 1, std::int16_t, T>;
    constexpr Float low = static_cast<Float>(std::numeric_limits<Target>::min());
    if (!(a == a)) return 0;
    if (a <= low) return static_cast<T>(std::numeric_limits<Target>::min());
    if (a >= -low) return static_cast<T>(std::numeric_limits<Target>::max());
    return static_cast<T>(static_cast<Target>(a));
  }
};
template <class From, class To>
struct FloatToUnsigned {
  using T = typename To::Value;
  using Float = typename From::Value;
  static T apply(Float a) {
    using Target = std::conditional_t<sizeof(T) == 1, std::uint16_t, Unsigned<T>>;
    constexpr Float top = static_cast<Float>(std::uint64_t{1} << (width<Target> - 1)) * 2;
    if (!(a > 0)) return 0;
    if (a >= top) return static_cast<T>(-1);
    return static_cast<T>(static_cast<Target>(a));
  }
};

}  // namespace

}  // namespace trl::executor::TRL_EXECUTOR_SET
