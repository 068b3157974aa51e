#pragma once

#include <string_view>

#include "base/statistics/power.hpp"

namespace trl::statistics {

/// Variance components from a finished study of this project, for planning before there are any results.
struct Pilot {
  std::string_view source;  ///< a description of the study and its size
  /// The components of one row in a comparison whose rows are paired by task and seed. The components of a
  /// contrast are Σ coefficient² times as large.
  Components components;
};

const Pilot& pilot();

}  // namespace trl::statistics
