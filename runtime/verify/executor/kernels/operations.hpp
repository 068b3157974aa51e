#pragma once
// Operations on elements that more than one family of loops uses.
#include "runtime/verify/executor/kernels/elements.hpp"

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
// Division by zero gives all ones; the machine has reported it before.
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

}  // namespace

}  // namespace trl::executor::TRL_EXECUTOR_SET
