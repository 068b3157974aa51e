#pragma once
// How findings about values are put into words. For this folder alone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// A NaN's sign says nothing.
inline std::string text_of(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value); }

/// "[3, 7]": element number `flat` of a tensor.
inline std::string where(std::size_t flat, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> index(extents.size());
  auto left = static_cast<std::int64_t>(flat);
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = left % extents[d];
    left /= extents[d];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// A finding that isn't about memory alone, where there is one. The list isn't empty.
inline ReplayFinding most_telling(const std::vector<ReplayFinding>& findings) {
  for (const ReplayFinding& finding : findings)
    if (!finding.memory) return finding;
  return findings.front();
}

}  // namespace trl::runtime
