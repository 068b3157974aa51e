// The equation of an einsum of two tensors: "bij,bjk->bik".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trl::operators {

/// The letters of each tensor's axes and of the result's, in their order.
struct Einsum {
  std::string x, y, out;

  /// The letters that are summed over, because the result lacks them.
  std::string summed() const;
};

/// Reads an equation. On failure `problem` has the reason.
std::optional<Einsum> parse_einsum(std::string_view equation, std::string* problem = nullptr);

}  // namespace trl::operators
