#pragma once
// Conversions between f32 and the formats f8, f16, bf16 and tf32. The functions have no branches where speed
// matters, so that compilers vectorise loops over them.
#include <algorithm>
#include <bit>
#include <cstdint>

namespace trl::executor::half {

static inline float from_f16_bits(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7FFFu;
  // Scaling by 2^112 moves the exponent's bias and normalises subnormals exactly.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const std::uint32_t special = 0x7F800000u | (magnitude << 13);
  const std::uint32_t value = magnitude >= 0x7C00u ? special : std::bit_cast<std::uint32_t>(scaled);
  return std::bit_cast<float>(value | (static_cast<std::uint32_t>(bits & 0x8000u) << 16));
}

static inline float from_bf16_bits(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Rounds to the nearest f16, ties to even.
static inline float round_f16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const std::uint32_t normal = (magnitude + 0xFFFu + ((magnitude >> 13) & 1u)) & ~0x1FFFu;
  const std::uint32_t finite = normal > 0x477FE000u ? 0x7F800000u : normal;
  // Below 2^-14 the spacing is 2^-24: adding 0.5 rounds to it.
  const float subnormal = (std::bit_cast<float>(magnitude) + 0.5f) - 0.5f;
  std::uint32_t rounded = magnitude < 0x38800000u ? std::bit_cast<std::uint32_t>(subnormal) : finite;
  rounded = magnitude > 0x7F800000u ? 0x7FC00000u : rounded;
  return std::bit_cast<float>(rounded | sign);
}

/// Rounds to the nearest bf16, ties to even.
static inline float round_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) & 0xFFFF0000u;
  const std::uint32_t nan = 0x7FC00000u | (bits & 0x80000000u);
  return std::bit_cast<float>((bits & 0x7FFFFFFFu) > 0x7F800000u ? nan : rounded);
}

/// Rounds to f16 towards zero, as a Triton downcast with rounding = rtz does.
static inline float truncate_f16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude >= 0x7F800000u)
    return magnitude > 0x7F800000u ? std::bit_cast<float>(0x7FC00000u | sign) : value;
  if (magnitude >= 0x47800000u) return std::bit_cast<float>(0x477FE000u | sign);
  if (magnitude >= 0x38800000u) return std::bit_cast<float>((magnitude & ~0x1FFFu) | sign);
  const auto steps = static_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p24f);
  const float small = static_cast<float>(steps) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(small) | sign);
}

static inline std::uint16_t to_f16_bits(float rounded);
/// Rounds to f8E5M2 towards zero: the upper 8 bits of the f16 are the result.
static inline float truncate_f8e5m2(float value) {
  return from_f16_bits(static_cast<std::uint16_t>(to_f16_bits(truncate_f16(value)) & 0xFF00u));
}

static inline float truncate_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return std::bit_cast<float>(0x7FC00000u | (bits & 0x80000000u));
  return std::bit_cast<float>(bits & 0xFFFF0000u);
}

/// Returns the f16 encoding of a float that is already rounded to f16.
static inline std::uint16_t to_f16_bits(float rounded) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const std::uint32_t normal = (magnitude >> 13) - (112u << 10);
  const bool tiny = magnitude < 0x38800000u;
  const auto subnormal = static_cast<std::uint32_t>(
      static_cast<std::int32_t>(tiny ? std::bit_cast<float>(magnitude) * 0x1p24f : 0.0f));
  std::uint32_t value = tiny ? subnormal : normal;
  // A NaN's payload is kept.
  const std::uint32_t carried = (magnitude >> 13) & 0x3FFu;
  const std::uint32_t nan = 0x7C00u | (carried != 0 ? carried : 0x200u);
  value = magnitude >= 0x7F800000u ? (magnitude > 0x7F800000u ? nan : 0x7C00u) : value;
  return static_cast<std::uint16_t>(value | sign);
}

static inline std::uint16_t to_bf16_bits(float rounded) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(rounded) >> 16);
}

/// Returns the number that a tensor core uses for an f32 operand with input_precision = tf32: the lowest 13
/// bits become 0.
static inline float truncate_tf32(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const bool special = (bits & 0x7F800000u) == 0x7F800000u;
  return std::bit_cast<float>(special ? bits : bits & 0xFFFFE000u);
}

/// Rounds to nearest, ties to even, to a float type that has `mantissa` bits after the binary point and whose
/// smallest normal number is 2^`least`. Numbers beyond ±`most` become ±`most`, as with PTX's cvt.satfinite.
static inline float round_f8(float value, int mantissa, int least, float most) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000u, magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return std::bit_cast<float>(0x7FC00000u | sign);
  const int exponent = std::max(static_cast<int>(magnitude >> 23) - 127, least);
  // The last of this number's 24 bits has the spacing of the narrow type, so adding it rounds.
  const float shift = std::bit_cast<float>(static_cast<std::uint32_t>(exponent - mantissa + 23 + 127) << 23);
  const float a = std::bit_cast<float>(magnitude);
  const float rounded = a >= most ? most : std::min((a + shift) - shift, most);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) | sign);
}
static inline float round_f8e4m3(float value) { return round_f8(value, 3, -6, 448.0f); }
static inline float round_f8e5m2(float value) { return round_f8(value, 2, -14, 57344.0f); }

static inline float from_f8e4m3_bits(std::uint8_t bits) {
  const std::uint32_t magnitude = bits & 0x7Fu, sign = static_cast<std::uint32_t>(bits & 0x80u) << 24;
  const float scaled = std::bit_cast<float>(magnitude << 20) * 0x1p120f;
  const std::uint32_t value = magnitude == 0x7Fu ? 0x7FC00000u : std::bit_cast<std::uint32_t>(scaled);
  return std::bit_cast<float>(value | sign);
}
static inline float from_f8e5m2_bits(std::uint8_t bits) {
  return from_f16_bits(static_cast<std::uint16_t>(bits << 8));
}
/// Returns the f8E4M3 encoding of a float that is already rounded to f8E4M3.
static inline std::uint8_t to_f8e4m3_bits(float rounded) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
  const float magnitude = std::bit_cast<float>(bits & 0x7FFFFFFFu);
  const std::uint32_t value =
      magnitude == magnitude ? std::bit_cast<std::uint32_t>(magnitude * 0x1p-120f) >> 20 : 0x7Fu;
  return static_cast<std::uint8_t>(value | (bits >> 24 & 0x80u));
}
static inline std::uint8_t to_f8e5m2_bits(float rounded) {
  return static_cast<std::uint8_t>(to_f16_bits(rounded) >> 8);
}

}  // namespace trl::executor::half
