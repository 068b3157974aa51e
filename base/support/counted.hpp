#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trl {

/// Returns a number with its noun, whose plural ends in s: "1 seed", "3 seeds".
inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace trl
