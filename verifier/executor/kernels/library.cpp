// Functions of libdevice that have no code of their own. Each operation gets the operands' values and the
// result's element type.
#include "verifier/executor/values/library.hpp"

#include <cfenv>
#include <utility>

#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/kernels/operations.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

using Word = std::uint32_t;
constexpr Word word(std::int32_t a) { return static_cast<Word>(a); }
constexpr std::int32_t whole(std::uint64_t a) { return static_cast<std::int32_t>(static_cast<Word>(a)); }

/// An operation on values, which may name their types A, B… and the result's element Out.
#define TRL_FUNCTION(NAME, PARAMETERS, EXPRESSION)         \
  struct NAME {                                            \
    template <class Out, class A, class B = A>             \
    static auto apply PARAMETERS {                         \
      return static_cast<typename Out::Value>(EXPRESSION); \
    }                                                      \
  };

// ---- integers ----

/// PTX's prmt: each digit of `s` chooses one of the eight bytes of b and a, or only that byte's sign.
struct BytePerm {
  template <class Out>
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t s) {
    const std::uint64_t bytes = (std::uint64_t{word(b)} << 32) | word(a);
    Word out = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const Word digit = (word(s) >> (4 * i)) & 15;
      Word byte = static_cast<Word>(bytes >> (8 * (digit & 7))) & 255;
      if ((digit & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      out |= byte << (8 * i);
    }
    return whole(out);
  }
};
constexpr std::int64_t low_24(std::int32_t a) { return static_cast<std::int32_t>(word(a) << 8) >> 8; }
TRL_FUNCTION(Mul24, (A a, B b), whole(static_cast<std::uint64_t>(low_24(a) * low_24(b))))
TRL_FUNCTION(UMul24, (A a, B b), whole(std::uint64_t{word(a) & 0xFFFFFF} * (word(b) & 0xFFFFFF)))
TRL_FUNCTION(Sad, (A a, A b, B c), whole(word(c) + (a < b ? word(b) - word(a) : word(a) - word(b))))
TRL_FUNCTION(USad, (A a, A b, B c),
             whole(word(c) + (word(a) < word(b) ? word(b) - word(a) : word(a) - word(b))))
TRL_FUNCTION(HAdd, (A a, B b), (std::int64_t{a} + b) >> 1)
TRL_FUNCTION(UHAdd, (A a, B b), whole((std::uint64_t{word(a)} + word(b)) >> 1))
TRL_FUNCTION(RHAdd, (A a, B b), (std::int64_t{a} + b + 1) >> 1)
TRL_FUNCTION(URHAdd, (A a, B b), whole((std::uint64_t{word(a)} + word(b) + 1) >> 1))

std::uint64_t bits_of(double a) {
  std::uint64_t bits;
  std::memcpy(&bits, &a, sizeof bits);
  return bits;
}
double of_bits(std::uint64_t bits) {
  double a;
  std::memcpy(&a, &bits, sizeof a);
  return a;
}
TRL_FUNCTION(DoubleOfWords, (A high, B low), of_bits((std::uint64_t{word(high)} << 32) | word(low)))
TRL_FUNCTION(LowWord, (A a), whole(bits_of(a)))
TRL_FUNCTION(HighWord, (A a), whole(bits_of(a) >> 32))
/// The function reads and gives the upper half of the bits alone.
constexpr std::uint64_t upper = 0xFFFFFFFF00000000;
TRL_FUNCTION(ReciprocalOfHighWord, (A a), of_bits(bits_of(1.0 / of_bits(bits_of(a) & upper)) & upper))

// ---- rounding in one direction ----

TRL_FUNCTION(Add, (A a, B b), a + b)
TRL_FUNCTION(Subtract, (A a, B b), a - b)
TRL_FUNCTION(Multiply, (A a, B b), a* b)
TRL_FUNCTION(Divide, (A a, B b), a / b)
TRL_FUNCTION(Invert, (A a), A(1) / a)
TRL_FUNCTION(SquareRoot, (A a), std::sqrt(a))
TRL_FUNCTION(MultiplyAdd, (A a, A b, A c), std::fma(a, b, c))
TRL_FUNCTION(Value, (A a), a)
TRL_FUNCTION(ValueOfUnsigned, (A a), static_cast<Unsigned<A>>(a))

/// Volatile operands and results keep the compiler from moving the operation out of the mode.
template <int mode, class Operation>
struct Rounded {
  template <class Out, class... A>
  static auto apply(A... a) {
    const int before = std::fegetround();
    std::fesetround(mode);
    const volatile auto result = Operation::template apply<Out>(static_cast<A>(Kept<A>{a}.value)...);
    std::fesetround(before);
    return static_cast<typename Out::Value>(result);
  }

 private:
  template <class T>
  struct Kept {
    volatile T value;
  };
};
template <class Operation>
using Down = Rounded<FE_DOWNWARD, Operation>;
template <class Operation>
using Up = Rounded<FE_UPWARD, Operation>;
template <class Operation>
using ToZero = Rounded<FE_TOWARDZERO, Operation>;

// ---- integers next to a float ----

template <class A>
using ElementOf = Plain<A>;
struct Nearest {
  template <class A>
  static A of(A a) {
    return std::nearbyint(a);
  }
};
struct Below {
  template <class A>
  static A of(A a) {
    return std::floor(a);
  }
};
struct Above {
  template <class A>
  static A of(A a) {
    return std::ceil(a);
  }
};
struct HalfAway {
  template <class A>
  static A of(A a) {
    return std::round(a);
  }
};
template <class Rounding>
struct Signed {
  template <class Out, class A>
  static auto apply(A a) {
    return FloatToSigned<ElementOf<A>, Out>::apply(Rounding::of(a));
  }
};
template <class Rounding>
struct NotSigned {
  template <class Out, class A>
  static auto apply(A a) {
    return FloatToUnsigned<ElementOf<A>, Out>::apply(Rounding::of(a));
  }
};
TRL_FUNCTION(Exponent, (A a), std::ilogb(a))

// ---- other functions ----

TRL_FUNCTION(Scale, (A a, B n), std::ldexp(a, n))
TRL_FUNCTION(PowerOfWhole, (A a, B n), std::pow(static_cast<double>(a), static_cast<double>(n)))
TRL_FUNCTION(BesselJ, (A n, B x), ::jn(n, static_cast<double>(x)))
TRL_FUNCTION(BesselY, (A n, B x), ::yn(n, static_cast<double>(x)))

double norm(double a, double b, double c, double d = 0) {
  return std::hypot(std::hypot(a, b), std::hypot(c, d));
}
struct Norm {
  template <class Out, class... A>
  static auto apply(A... a) {
    return static_cast<typename Out::Value>(norm(static_cast<double>(a)...));
  }
};
struct InverseNorm {
  template <class Out, class... A>
  static auto apply(A... a) {
    return static_cast<typename Out::Value>(1 / norm(static_cast<double>(a)...));
  }
};

/// The modified Bessel function of order 0 or 1: its power series, whose terms have one sign.
double bessel_i(int order, double x) {
  const double a = std::fabs(x);
  if (!(a < 720))
    return a == a ? std::copysign(std::numeric_limits<double>::infinity(), order == 1 ? x : 1.0) : x;
  double term = order == 0 ? 1.0 : a / 2, sum = term;
  for (int k = 1; k < 2000 && term > sum * 1e-18; ++k) sum += term *= (a / 2 / k) * (a / 2 / (k + order));
  return order == 1 ? std::copysign(sum, x) : sum;
}
TRL_FUNCTION(BesselI0, (A a), bessel_i(0, static_cast<double>(a)))
TRL_FUNCTION(BesselI1, (A a), bessel_i(1, static_cast<double>(a)))

// ---- loops ----

template <class Operation, class Out, class... From, std::size_t... i>
void over(const Operands& in, void* out, std::int64_t n, std::index_sequence<i...>) {
  auto* r = static_cast<typename Out::Value*>(out);
  for (std::int64_t k = 0; k < n; ++k)
    r[k] = Operation::template apply<Out>(
        static_cast<const typename From::Value*>(in.data[i])[k * in.stride[i]]...);
}
template <class Operation, class Out, class... From>
void loop(const Operands& in, void* out, std::int64_t n) {
  over<Operation, Out, From...>(in, out, n, std::index_sequence_for<From...>{});
}

#define TRL_LIBRARY(name, Operation, ...) loop<Operation, __VA_ARGS__>,
const Kernel loops[] = {
#include "verifier/executor/values/library.def"
};
#undef TRL_LIBRARY
static_assert(std::size(loops) == std::size(library_functions));

}  // namespace

Kernel library_kernel(std::size_t function) { return loops[function]; }

}  // namespace trl::executor::TRL_EXECUTOR_SET
