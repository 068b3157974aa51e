#pragma once
// Converts dtypes (base/operators/dtype.hpp) to libtorch's types.
#include <c10/core/ScalarType.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/operators/dtype.hpp"

namespace trl::runtime {

inline at::ScalarType scalar_type(const operators::Dtype& row) {
  for (int type = 0; type < static_cast<int>(at::ScalarType::NumOptions); ++type)
    if (c10::toString(static_cast<at::ScalarType>(type)) == row.aten)
      return static_cast<at::ScalarType>(type);
  throw std::logic_error("libtorch has no type " + std::string(row.aten));
}

/// Returns libtorch's type of the dtype with this name in tasks. Throws std::logic_error when there is no
/// such dtype.
inline at::ScalarType scalar_type(std::string_view dtype) {
  const operators::Dtype* row = operators::dtype_called(dtype);
  if (row == nullptr) throw std::logic_error("no dtype is called " + std::string(dtype));
  return scalar_type(*row);
}

}  // namespace trl::runtime
