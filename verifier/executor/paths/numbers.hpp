#pragma once
// Converts elements of blocks to f64 and back.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "verifier/executor/values/half.hpp"
#include "verifier/executor/values/types.hpp"

namespace trl::executor {

inline double read_number(Scalar scalar, const std::byte* from) {
  const auto as = [from](auto value) {
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
  };
  switch (scalar) {
    case Scalar::i1:
      return as(std::uint8_t{});
    case Scalar::i8:
      return as(std::int8_t{});
    case Scalar::i16:
      return as(std::int16_t{});
    case Scalar::i32:
      return as(std::int32_t{});
    case Scalar::i64:
    case Scalar::ptr:
      return as(std::int64_t{});
    case Scalar::f64:
      return as(double{});
    default:
      return as(float{});
  }
}

/// Reads a number as memory holds it, where some types are narrower than in blocks.
inline double read_stored(Scalar scalar, const std::byte* from) {
  std::uint16_t wide = 0;
  std::uint8_t narrow = 0;
  if (memory_bytes(scalar) == 2) std::memcpy(&wide, from, sizeof wide);
  if (memory_bytes(scalar) == 1) std::memcpy(&narrow, from, sizeof narrow);
  switch (scalar) {
    case Scalar::i1:
      return narrow != 0 ? 1 : 0;
    case Scalar::f16:
      return half::from_f16_bits(wide);
    case Scalar::bf16:
      return half::from_bf16_bits(wide);
    case Scalar::f8e4m3:
      return half::from_f8e4m3_bits(narrow);
    case Scalar::f8e5m2:
      return half::from_f8e5m2_bits(narrow);
    default:
      return read_number(scalar, from);
  }
}

/// Writes `value`, rounded to the type `scalar`, in the form in which blocks store it. In an integer type,
/// values out of range saturate and NaN becomes 0.
inline void write_number(Scalar scalar, double value, std::byte* to) {
  const auto integer = [&](auto type) {
    using T = decltype(type);
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    const T number = std::isnan(value) ? T{0}
                     : value <= least  ? std::numeric_limits<T>::min()
                     : value >= most   ? std::numeric_limits<T>::max()
                                       : static_cast<T>(value);
    std::memcpy(to, &number, sizeof number);
  };
  const auto real = [&](float number) { std::memcpy(to, &number, sizeof number); };
  const auto single = static_cast<float>(value);
  switch (scalar) {
    case Scalar::i1:
      *to = value != 0 ? std::byte{1} : std::byte{0};
      return;
    case Scalar::i8:
      return integer(std::int8_t{});
    case Scalar::i16:
      return integer(std::int16_t{});
    case Scalar::i32:
      return integer(std::int32_t{});
    case Scalar::i64:
    case Scalar::ptr:
      return integer(std::int64_t{});
    case Scalar::f64:
      std::memcpy(to, &value, sizeof value);
      return;
    case Scalar::f32:
      return real(single);
    case Scalar::f16:
      return real(half::round_f16(single));
    case Scalar::bf16:
      return real(half::round_bf16(single));
    case Scalar::f8e4m3:
      return real(half::round_f8e4m3(single));
    case Scalar::f8e5m2:
      return real(half::round_f8e5m2(single));
  }
}

}  // namespace trl::executor
