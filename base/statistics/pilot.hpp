#pragma once

#include <string_view>

#include "base/statistics/power.hpp"

namespace trl::statistics {

/// Variances found in a finished study of this project, for planning where there are no results yet.
struct Pilot {
  std::string_view source;  ///< the study and its size, in words
  /// Of one row of a comparison whose rows are paired by task and seed: a contrast has Σ coefficient² times
  /// as much.
  Components components;
};

const Pilot& pilot();

}  // namespace trl::statistics
