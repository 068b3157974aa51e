// Integer arithmetic, which wraps, and bit operations.
#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/kernels/operations.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

/// Shifts by the type's width or more give the same as shifting bit by bit.
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

struct MulHighS {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>((std::int64_t{a} * std::int64_t{b}) >> 32);
  }
  static std::int64_t apply(std::int64_t a, std::int64_t b) {
    __extension__ using I128 = __int128;
    return static_cast<std::int64_t>((I128{a} * I128{b}) >> 64);
  }
};
struct ReverseBits {
  template <class T>
  static T apply(T a) {
    Wide<T> from = up(a), to = 0;
    for (unsigned i = 0; i < width<T>; ++i, from >>= 1) to = (to << 1) | (from & 1);
    return wrap<T>(to);
  }
};
struct PopCount64 {
  static std::int32_t apply(std::int64_t a) {
    return __builtin_popcountll(static_cast<unsigned long long>(a));
  }
};
struct LeadingZeros64 {
  static std::int32_t apply(std::int64_t a) {
    return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a));
  }
};
struct FindFirst64 {
  static std::int32_t apply(std::int64_t a) { return __builtin_ffsll(a); }
};

TRL_UNARY(FindFirst, static_cast<T>(__builtin_ffsll(static_cast<long long>(a))))
TRL_UNARY(AbsI, a < 0 ? wrap<T>(Wide<T>{0} - up(a)) : a)
TRL_UNARY(PopCount, static_cast<T>(__builtin_popcountll(static_cast<std::uint64_t>(up(a)))))
TRL_UNARY(LeadingZeros,
          static_cast<T>(up(a) == 0
                             ? width<T>
                             : static_cast<unsigned>(__builtin_clzll(static_cast<std::uint64_t>(up(a)))) -
                                   (64 - width<T>)))

template <class Operation>
Kernel integer_binary(Scalar scalar) {
  return for_integer(scalar, []<class E>() -> Kernel { return binary<E, E, Operation>; });
}
template <class Operation>
Kernel bit_binary(Scalar scalar) {
  return for_bit_or_integer(scalar, []<class E>() -> Kernel { return binary<E, E, Operation>; });
}
template <class Operation>
Kernel integer_unary(Scalar scalar) {
  return for_integer(scalar, []<class E>() -> Kernel { return unary<E, E, Operation>; });
}

}  // namespace

Kernel integer_kernel(Code code, Scalar from) {
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
    // On i1 a signed 1 is -1, so the minimum of two is their disjunction.
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
    case Code::mulhisi:
      return from == Scalar::i32   ? binary<I32, I32, MulHighS>
             : from == Scalar::i64 ? binary<I64, I64, MulHighS>
                                   : nullptr;
    case Code::reverse_bits:
      return integer_unary<ReverseBits>(from);
    case Code::find_first:
      return integer_unary<FindFirst>(from);
    case Code::absi:
      return integer_unary<AbsI>(from);
    case Code::popcount:
      return integer_unary<PopCount>(from);
    case Code::leading_zeros:
      return integer_unary<LeadingZeros>(from);
    default:
      return nullptr;
  }
}

/// Bit counts of an i64 whose results are i32.
Kernel count_kernel(Code code, Scalar from, Scalar to) {
  if (from != Scalar::i64 || to != Scalar::i32) return nullptr;
  switch (code) {
    case Code::popcount:
      return unary<I64, I32, PopCount64>;
    case Code::leading_zeros:
      return unary<I64, I32, LeadingZeros64>;
    case Code::find_first:
      return unary<I64, I32, FindFirst64>;
    default:
      return nullptr;
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
