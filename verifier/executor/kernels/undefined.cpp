// Results that neither LLVM nor PTX defines: of shifts by the width or more, of divisions, and of floats that
// don't fit an integer.
#include "verifier/executor/kernels/elements.hpp"
#include "verifier/executor/kernels/families.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

/// Writes the bytes at `with` (none if null) to each element i for which `holds(i)` says that its result is
/// undefined. Returns the number of these elements.
template <class Result, class Holds>
std::int64_t overwrite(void* out, std::int64_t n, const void* with, const Holds& holds) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) count += holds(i);
  if (count == 0 || with == nullptr) return count;
  Result value;
  std::memcpy(&value, with, sizeof value);
  auto* const r = static_cast<Result*>(out);
  for (std::int64_t i = 0; i < n; ++i)
    if (holds(i)) r[i] = value;
  return count;
}

/// For operations whose results are undefined depending on the second operand alone. If that operand is the
/// same for all elements and no result is undefined, it is examined only once.
template <class E, class Undefined>
std::int64_t by_second(const Operands& in, void* out, std::int64_t n, const void* with) {
  using Value = typename E::Value;
  const auto* b = static_cast<const Value*>(in.data[1]);
  if (in.stride[1] == 0 && !Undefined::holds(b[0])) return 0;
  const std::int64_t stride = in.stride[1];
  return overwrite<Value>(out, n, with, [=](std::int64_t i) { return Undefined::holds(b[i * stride]); });
}
template <class E, class Undefined>
std::int64_t by_both(const Operands& in, void* out, std::int64_t n, const void* with) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in.data[0]);
  const auto* b = static_cast<const Value*>(in.data[1]);
  const std::int64_t sa = in.stride[0], sb = in.stride[1];
  if (sb == 0 && b[0] != 0 && b[0] != -1) return 0;
  return overwrite<Value>(out, n, with,
                          [=](std::int64_t i) { return Undefined::holds(a[i * sa], b[i * sb]); });
}
template <class From, class To, class Undefined>
std::int64_t by_only(const Operands& in, void* out, std::int64_t n, const void* with) {
  const auto* a = static_cast<const typename From::Value*>(in.data[0]);
  const std::int64_t stride = in.stride[0];
  return overwrite<typename To::Value>(out, n, with,
                                       [=](std::int64_t i) { return !Undefined::fits(a[i * stride]); });
}

struct TooFar {
  template <class T>
  static bool holds(T by) {
    return up(by) >= width<T>;
  }
};
struct Zero {
  template <class T>
  static bool holds(T divisor) {
    return divisor == 0;
  }
};
struct ZeroOrOverflow {
  template <class T>
  static bool holds(T a, T divisor) {
    return divisor == 0 || overflows(a, divisor);
  }
};
/// Whether a float, without its fraction, is a number of the integer type.
template <class From, class To>
struct SignedRange {
  using Float = typename From::Value;
  static bool fits(Float a) {
    constexpr Float low = static_cast<Float>(std::numeric_limits<typename To::Value>::min());
    // The next integer below `low`, where the float type has it.
    constexpr bool exact = std::numeric_limits<Float>::digits > static_cast<int>(width<typename To::Value>);
    return (exact ? a > low - 1 : a >= low) && a < -low;
  }
};
template <class From, class To>
struct UnsignedRange {
  using Float = typename From::Value;
  static bool fits(Float a) {
    constexpr Float top = static_cast<Float>(std::uint64_t{1} << (width<typename To::Value> - 1)) * 2;
    return a > -1 && a < top;
  }
};

template <template <class, class> class Range, class From>
UndefinedKernel undefined_from(Scalar to) {
  return for_integer(to, []<class To>() -> UndefinedKernel { return by_only<From, To, Range<From, To>>; });
}
template <template <class, class> class Range>
UndefinedKernel conversion(Scalar from, Scalar to) {
  if (!is_float(from)) return nullptr;
  return from == Scalar::f64 ? undefined_from<Range, F64>(to) : undefined_from<Range, F32>(to);
}

}  // namespace

UndefinedKernel undefined_kernel(Code code, Scalar from, Scalar to) {
  switch (code) {
    case Code::shli:
    case Code::shrsi:
    case Code::shrui:
      return for_integer(from, []<class E>() -> UndefinedKernel { return by_second<E, TooFar>; });
    case Code::divui:
    case Code::remui:
    case Code::ceildivui:
      return for_integer(from, []<class E>() -> UndefinedKernel { return by_second<E, Zero>; });
    case Code::divsi:
    case Code::remsi:
    case Code::floordivsi:
    case Code::ceildivsi:
      return for_integer(from, []<class E>() -> UndefinedKernel { return by_both<E, ZeroOrOverflow>; });
    case Code::fptosi:
      return conversion<SignedRange>(from, to);
    case Code::fptoui:
      return conversion<UnsignedRange>(from, to);
    default:
      return nullptr;
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
