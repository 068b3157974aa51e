// Dimensions whose sizes can be read off a tensor's shape, from expressions of them such as `2 * C` or `L +
// 24`. Language and runtime have their own types of expressions and share the rule.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trl::operators {

/// How often an extent counts a dimension: t where the extent is t * dimension + a rest without it, whatever
/// the sizes, and t > 0. Nothing otherwise, as for (H + 1) // 2. `at` evaluates the extent.
inline std::optional<std::int64_t> times_in(
    const std::string& dimension, const std::vector<std::string>& names,
    const std::function<std::int64_t(const std::map<std::string, std::int64_t>&)>& at) {
  std::optional<std::int64_t> times;
  std::map<std::string, std::int64_t> sizes;
  for (const std::int64_t others : {1, 3, 10}) {
    for (const std::string& name : names) sizes[name] = others;
    std::int64_t before = 0;
    for (std::int64_t own = 0; own <= 4; ++own) {
      sizes[dimension] = own;
      const std::int64_t size = at(sizes);
      if (own > 0 && times && size - before != *times) return std::nullopt;
      if (own > 0) times = size - before;
      before = size;
    }
  }
  return times && *times > 0 ? times : std::nullopt;
}

}  // namespace trl::operators
