#pragma once
// The table of the libdevice functions that share the operation code Code::library.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "verifier/executor/values/types.hpp"

namespace trl::executor {

struct LibraryFunction {
  std::string_view name;  ///< name without the prefix `__nv_`
  Scalar to;
  std::uint8_t count;  ///< number of operands
  std::array<Scalar, 4> from;
};

namespace library_table {
inline constexpr Scalar I32 = Scalar::i32, I64 = Scalar::i64, F32 = Scalar::f32, F64 = Scalar::f64;
template <class... From>
constexpr LibraryFunction function(std::string_view name, Scalar to, From... from) {
  return {name, to, sizeof...(from), {from...}};
}
#define TRL_LIBRARY(name, operation, ...) function(#name, __VA_ARGS__),
inline constexpr LibraryFunction functions[] = {
#include "verifier/executor/values/library.def"
};
#undef TRL_LIBRARY
}  // namespace library_table

/// All functions of the table. The field `number` of an operation with Code::library is an index into it.
inline constexpr auto& library_functions = library_table::functions;

}  // namespace trl::executor
