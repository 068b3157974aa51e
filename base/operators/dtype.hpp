// The table of tensor dtypes. The language, tasks, plans, files and prompts take names, ranges and widths
// from this table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace trl::operators {

/// The storage format of a tensor's element. Tasks call `i1` `bool`, and have no u64, u32 or u16.
enum class ElementType { f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, i16, i8, u64, u32, u16, u8, i1 };

struct Dtype {
  enum class Kind {
    floating,  ///< real numbers that operators compute with: f64, f32, f16, bf16
    storage,   ///< real numbers in 8 bits, which are converted before use: f8e4m3, f8e5m2
    integer,
    boolean,
  };
  std::string_view name;  ///< the name in the language, in plans and in verdicts
  ElementType element = ElementType::f32;
  std::string_view torch;  ///< the name after "torch.": "float32"
  std::string_view aten;   ///< the name after "at::k" in C++, and in the enumeration c10::ScalarType: "Float"
  std::string_view safetensors;  ///< the name in headers of safetensors files: "F32"
  Kind kind = Kind::floating;
  int bytes = 4;
  /// Bits of the significand, including the implicit leading 1; 0 for integers and booleans.
  int significand = 24;
  double smallest = 0;  ///< the smallest positive normal number; for integers, the smallest number
  double largest = 0;   ///< the largest finite number

  constexpr bool floating() const { return kind == Kind::floating; }
  constexpr bool storage() const { return kind == Kind::storage; }
  constexpr bool integer() const { return kind == Kind::integer; }
  constexpr bool boolean() const { return kind == Kind::boolean; }
  /// Returns the unit roundoff: half a unit in the last place, relative to the number.
  constexpr double unit() const {
    double out = 1;
    for (int i = 0; i < significand; ++i) out /= 2;
    return out;
  }
};

inline constexpr std::array<Dtype, 16> all_dtypes = {{
    {"f64", ElementType::f64, "float64", "Double", "F64", Dtype::Kind::floating, 8, 53, 0x1p-1022,
     0x1.fffffffffffffp1023},
    {"f32", ElementType::f32, "float32", "Float", "F32", Dtype::Kind::floating, 4, 24, 0x1p-126,
     0x1.fffffep127},
    {"f16", ElementType::f16, "float16", "Half", "F16", Dtype::Kind::floating, 2, 11, 0x1p-14, 65504},
    {"bf16", ElementType::bf16, "bfloat16", "BFloat16", "BF16", Dtype::Kind::floating, 2, 8, 0x1p-126,
     0x1.fep127},
    {"f8e4m3", ElementType::f8e4m3, "float8_e4m3fn", "Float8_e4m3fn", "F8_E4M3", Dtype::Kind::storage, 1, 4,
     0x1p-6, 448},
    {"f8e5m2", ElementType::f8e5m2, "float8_e5m2", "Float8_e5m2", "F8_E5M2", Dtype::Kind::storage, 1, 3,
     0x1p-14, 57344},
    {"i64", ElementType::i64, "int64", "Long", "I64", Dtype::Kind::integer, 8, 0, -0x1p63, 0x1p63},
    {"i32", ElementType::i32, "int32", "Int", "I32", Dtype::Kind::integer, 4, 0, -2147483648.0, 2147483647.0},
    {"i16", ElementType::i16, "int16", "Short", "I16", Dtype::Kind::integer, 2, 0, -32768, 32767},
    {"i8", ElementType::i8, "int8", "Char", "I8", Dtype::Kind::integer, 1, 0, -128, 127},
    {"u8", ElementType::u8, "uint8", "Byte", "U8", Dtype::Kind::integer, 1, 0, 0, 255},
    {"bool", ElementType::i1, "bool", "Bool", "BOOL", Dtype::Kind::boolean, 1, 0, 0, 1},
    // The name of a boolean in plans.
    {"i1", ElementType::i1, "bool", "Bool", "BOOL", Dtype::Kind::boolean, 1, 0, 0, 1},
    // Dtypes that plans and files may have but tasks may not.
    {"u64", ElementType::u64, "uint64", "UInt64", "U64", Dtype::Kind::integer, 8, 0, 0, 0x1p64},
    {"u32", ElementType::u32, "uint32", "UInt32", "U32", Dtype::Kind::integer, 4, 0, 0, 4294967295.0},
    {"u16", ElementType::u16, "uint16", "UInt16", "U16", Dtype::Kind::integer, 2, 0, 0, 65535},
}};
/// The dtypes that tasks can have.
inline constexpr std::span<const Dtype, 13> dtypes = std::span(all_dtypes).first<13>();

/// Returns the row of the dtype that tasks call `name`; null if there is none.
constexpr const Dtype* dtype_called(std::string_view name) {
  for (const Dtype& row : dtypes)
    if (row.name == name) return &row;
  return nullptr;
}

/// Returns the row of a storage format.
constexpr const Dtype& row_of(ElementType element) {
  for (const Dtype& row : all_dtypes)
    if (row.element == element && row.name != "bool") return row;
  return all_dtypes.front();  // not reached: every type has a row
}

constexpr bool is_floating(std::string_view name) {
  const Dtype* row = dtype_called(name);
  return row != nullptr && row->floating();
}
constexpr bool is_storage(std::string_view name) {
  const Dtype* row = dtype_called(name);
  return row != nullptr && row->storage();
}
constexpr bool is_integer(std::string_view name) {
  const Dtype* row = dtype_called(name);
  return row != nullptr && row->integer();
}

}  // namespace trl::operators
