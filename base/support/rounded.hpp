#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace trl {

/// A number with that many decimals. Halves are rounded away from zero: 6.25 to 6.3, and 96.25 too, though
/// some such numbers are a little less than a half as doubles. Nothing is shown as -0.
inline std::string rounded(double value, int decimals) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double scale = std::pow(10.0, decimals);
  // A half that was computed, such as 100 * (29 / 80), differs from it by a few units in the last place.
  constexpr double noise = 1e-12;
  const double result = std::round(value * scale * (1 + noise)) / scale;
  return fmt::format("{:.{}f}", result == 0 ? 0.0 : result, decimals);
}

}  // namespace trl
