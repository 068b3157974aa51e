#pragma once
// Types of TTIR values and how the executor stores them.
#include <cstdint>
#include <string>
#include <vector>

namespace trl::executor {

/// Element types. `index` is treated as i64.
enum class Scalar : std::uint8_t { i1, i8, i16, i32, i64, f8e4m3, f8e5m2, f16, bf16, f32, f64, ptr };

inline bool is_float(Scalar scalar) { return scalar >= Scalar::f8e4m3 && scalar <= Scalar::f64; }
inline bool is_integer(Scalar scalar) { return scalar <= Scalar::i64; }
/// Whether the type is a float of 8 or 16 bits, which blocks store as a rounded f32.
inline bool is_narrow(Scalar scalar) { return scalar >= Scalar::f8e4m3 && scalar <= Scalar::bf16; }

/// The number of bytes of an element in a block: floats of 8 and 16 bits are stored as rounded f32 (4 bytes),
/// i1 as a byte 0 or 1, a pointer in 8 bytes.
inline std::int64_t storage_bytes(Scalar scalar) {
  constexpr std::int64_t bytes[] = {1, 1, 2, 4, 8, 4, 4, 4, 4, 4, 8, 8};
  return bytes[static_cast<int>(scalar)];
}

/// The number of bytes of an element in a buffer.
inline std::int64_t memory_bytes(Scalar scalar) {
  constexpr std::int64_t bytes[] = {1, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8, 8};
  return bytes[static_cast<int>(scalar)];
}

/// The number of significant bits of an integer type.
inline int bits(Scalar scalar) {
  return scalar == Scalar::i1 ? 1 : static_cast<int>(memory_bytes(scalar)) * 8;
}

inline const char* name(Scalar scalar) {
  constexpr const char* names[] = {"i1",     "i8",  "i16",  "i32", "i64", "f8E4M3FN",
                                   "f8E5M2", "f16", "bf16", "f32", "f64", "!tt.ptr"};
  return names[static_cast<int>(scalar)];
}

/// The type of a TTIR value: a scalar, or a row-major block (tensor) of scalars.
struct Type {
  Scalar scalar = Scalar::i32;
  Scalar pointee = Scalar::i8;  ///< the type to which a pointer points; i8 for other types
  bool tensor = false;
  std::vector<std::int32_t> shape;  ///< empty for a scalar

  std::int64_t count() const {
    std::int64_t product = 1;
    for (const std::int32_t extent : shape) product *= extent;
    return product;
  }
  Type with(Scalar other) const {
    Type changed = *this;
    changed.scalar = other;
    changed.pointee = Scalar::i8;
    return changed;
  }
  friend bool operator==(const Type&, const Type&) = default;
};

/// Returns the type in MLIR's syntax: "tensor<64x32xf32>", "!tt.ptr<f32>".
inline std::string to_string(const Type& type) {
  std::string element = name(type.scalar);
  if (type.scalar == Scalar::ptr) element += std::string("<") + name(type.pointee) + ">";
  if (!type.tensor) return element;
  std::string text = "tensor<";
  for (const std::int32_t extent : type.shape) text += std::to_string(extent) + "x";
  return text + element + ">";
}

}  // namespace trl::executor
