#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace trl {

/// Returns a number with `decimals` decimals. Halves are rounded away from zero, such as 6.25 to 6.3, even if
/// the double is slightly below the half. Never returns -0.
inline std::string rounded(double value, int decimals) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double scale = std::pow(10.0, decimals);
  // A computed half, such as 100 * (29 / 80), may differ from the exact half by a few units in the last
  // place.
  constexpr double noise = 1e-12;
  const double result = std::round(value * scale * (1 + noise)) / scale;
  return fmt::format("{:.{}f}", result == 0 ? 0.0 : result, decimals);
}

}  // namespace trl
