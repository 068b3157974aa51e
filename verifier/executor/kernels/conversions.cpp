// Conversions of element types, by value or by bits.
#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/kernels/operations.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

/// Converts between storage types by value. Values that don't fit saturate as in PTX's cvt, and NaN gives 0.
/// There is no cvt to 8 bits: the result is the low half of a conversion to 16 bits.
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
template <template <class, class> class Operation, class From>
Kernel to_float(Scalar to) {
  if (to == Scalar::f8e4m3) return unary<From, F8E4M3, Operation<From, F8E4M3>>;
  if (to == Scalar::f8e5m2) return unary<From, F8E5M2, Operation<From, F8E5M2>>;
  return for_float(to, []<class To>() -> Kernel { return unary<From, To, Operation<From, To>>; });
}
template <template <class, class> class Operation>
Kernel integer_to_integer(Scalar from, Scalar to) {
  return for_bit_or_integer(from, [to]<class From>() -> Kernel {
    return for_bit_or_integer(to, []<class To>() -> Kernel { return unary<From, To, Operation<From, To>>; });
  });
}
template <template <class, class> class Operation>
Kernel integer_to_float(Scalar from, Scalar to) {
  return for_bit_or_integer(from, [to]<class From>() -> Kernel { return to_float<Operation, From>(to); });
}
template <template <class, class> class Operation, class From>
Kernel from_float(Scalar to) {
  return for_integer(to, []<class To>() -> Kernel { return unary<From, To, Operation<From, To>>; });
}
template <template <class, class> class Operation>
Kernel float_to_integer(Scalar from, Scalar to) {
  if (!is_float(from)) return nullptr;
  return from == Scalar::f64 ? from_float<Operation, F64>(to) : from_float<Operation, F32>(to);
}
Kernel float_to_float(Scalar from, Scalar to) {
  if (!is_float(from)) return nullptr;
  return from == Scalar::f64 ? to_float<Convert, F64>(to) : to_float<Convert, F32>(to);
}

struct TruncateF16 {
  static float apply(float a) { return half::truncate_f16(a); }
};
struct TruncateF8E5M2 {
  static float apply(float a) { return half::truncate_f8e5m2(a); }
};
struct TruncateBF16 {
  static float apply(float a) { return half::truncate_bf16(a); }
};

/// These operations turn a stored value into its bits in memory's form, and bits into a stored value.
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
struct F8E4M3ToBits {
  static std::int8_t apply(float a) { return static_cast<std::int8_t>(half::to_f8e4m3_bits(a)); }
};
struct F8E5M2ToBits {
  static std::int8_t apply(float a) { return static_cast<std::int8_t>(half::to_f8e5m2_bits(a)); }
};
struct BitsToF8E4M3 {
  static float apply(std::int8_t a) { return half::from_f8e4m3_bits(static_cast<std::uint8_t>(a)); }
};
struct BitsToF8E5M2 {
  static float apply(std::int8_t a) { return half::from_f8e5m2_bits(static_cast<std::uint8_t>(a)); }
};
struct F8E4M3ToF8E5M2Bits {
  static float apply(float a) { return half::from_f8e5m2_bits(half::to_f8e4m3_bits(a)); }
};
struct F8E5M2ToF8E4M3Bits {
  static float apply(float a) { return half::from_f8e4m3_bits(half::to_f8e5m2_bits(a)); }
};
struct F16ToBF16Bits {
  static float apply(float a) { return half::from_bf16_bits(half::to_f16_bits(a)); }
};
struct BF16ToF16Bits {
  static float apply(float a) { return half::from_f16_bits(half::to_bf16_bits(a)); }
};

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
      if (from == to) return copy_kernel(from);
      if (from == Scalar::i8)
        return to == Scalar::f8e4m3 ? unary<I8, F32, BitsToF8E4M3> : unary<I8, F32, BitsToF8E5M2>;
      if (to != Scalar::i8)
        return from == Scalar::f8e4m3 ? unary<F32, F32, F8E4M3ToF8E5M2Bits>
                                      : unary<F32, F32, F8E5M2ToF8E4M3Bits>;
      return from == Scalar::f8e4m3 ? unary<F32, I8, F8E4M3ToBits> : unary<F32, I8, F8E5M2ToBits>;
    case 4:
      return unary<I32, I32, Same>;
    default:
      return unary<I64, I64, Same>;
  }
}

}  // namespace

Kernel conversion_kernel(Code code, Scalar from, Scalar to) {
  switch (code) {
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
      if (from != Scalar::f32 && !is_narrow(from)) return nullptr;
      return to == Scalar::f16      ? unary<F32, F32, TruncateF16>
             : to == Scalar::bf16   ? unary<F32, F32, TruncateBF16>
             : to == Scalar::f8e5m2 ? unary<F32, F32, TruncateF8E5M2>
                                    : nullptr;
    case Code::sitofp:
      return integer_to_float<SignedToFloat>(from, to);
    case Code::uitofp:
      return integer_to_float<ExtendUnsigned>(from, to);
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

}  // namespace trl::executor::TRL_EXECUTOR_SET
