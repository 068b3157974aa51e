// The equation of an einsum of two tensors: "bij,bjk->bik".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trl::operators {

/// The letters of the axes of both tensors and of the result, in the order of the equation.
struct Einsum {
  std::string x, y, out;

  /// Returns the letters that are summed over, since the result lacks them.
  std::string summed() const;
};

/// Reads an equation. On failure returns nothing and sets `problem` to the reason.
std::optional<Einsum> parse_einsum(std::string_view equation, std::string* problem = nullptr);

}  // namespace trl::operators
