#include "base/statistics/wilson.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics/distributions.hpp"

namespace trl::statistics {

Interval wilson(double successes, double samples, double confidence) {
  if (samples <= 0) return {0, 1};
  const double z = normal_quantile((1 + confidence) / 2), p = successes / samples, shrunk = z * z / samples;
  const double centre = (p + shrunk / 2) / (1 + shrunk),
               half = std::sqrt(shrunk * (p * (1 - p) + shrunk / 4)) / (1 + shrunk);
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace trl::statistics
