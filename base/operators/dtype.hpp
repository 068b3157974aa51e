// The dtypes of tasks' tensors: one row each. Language, runtime and prompts have names, ranges and widths
// from here.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trl::operators {

struct Dtype {
  enum class Kind {
    floating,  ///< computes with real numbers: f64, f32, f16, bf16
    storage,   ///< 8 bits that hold a real number, which is converted before use: f8e4m3, f8e5m2
    integer,
    boolean,
  };
  std::string_view name;   ///< in the language, in plans and in verdicts
  std::string_view torch;  ///< behind "torch."
  Kind kind = Kind::floating;
  int bytes = 4;
  int significand = 24;  ///< bits of the significand with the implicit one; 0 for integers and conditions
  double smallest = 0;   ///< the smallest normal positive number; for integers the smallest number
  double largest = 0;    ///< the largest finite number

  constexpr bool floating() const { return kind == Kind::floating; }
  constexpr bool storage() const { return kind == Kind::storage; }
  constexpr bool integer() const { return kind == Kind::integer; }
  constexpr bool boolean() const { return kind == Kind::boolean; }
  /// Half a unit in the last place, relative to the number.
  constexpr double unit() const {
    double out = 1;
    for (int i = 0; i < significand; ++i) out /= 2;
    return out;
  }
};

inline constexpr std::array<Dtype, 13> dtypes = {{
    {"f64", "float64", Dtype::Kind::floating, 8, 53, 0x1p-1022, 0x1.fffffffffffffp1023},
    {"f32", "float32", Dtype::Kind::floating, 4, 24, 0x1p-126, 0x1.fffffep127},
    {"f16", "float16", Dtype::Kind::floating, 2, 11, 0x1p-14, 65504},
    {"bf16", "bfloat16", Dtype::Kind::floating, 2, 8, 0x1p-126, 0x1.fep127},
    {"f8e4m3", "float8_e4m3fn", Dtype::Kind::storage, 1, 4, 0x1p-6, 448},
    {"f8e5m2", "float8_e5m2", Dtype::Kind::storage, 1, 3, 0x1p-14, 57344},
    {"i64", "int64", Dtype::Kind::integer, 8, 0, -0x1p63, 0x1p63},
    {"i32", "int32", Dtype::Kind::integer, 4, 0, -2147483648.0, 2147483647.0},
    {"i16", "int16", Dtype::Kind::integer, 2, 0, -32768, 32767},
    {"i8", "int8", Dtype::Kind::integer, 1, 0, -128, 127},
    {"u8", "uint8", Dtype::Kind::integer, 1, 0, 0, 255},
    {"bool", "bool", Dtype::Kind::boolean, 1, 0, 0, 1},
    // The name of a condition in plans.
    {"i1", "bool", Dtype::Kind::boolean, 1, 0, 0, 1},
}};

/// The row of a name; null when there is none.
constexpr const Dtype* dtype_called(std::string_view name) {
  for (const Dtype& row : dtypes)
    if (row.name == name) return &row;
  return nullptr;
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
