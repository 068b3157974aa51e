// The Wilson score interval, for independent samples.
#pragma once

#include "base/statistics/interval.hpp"

namespace trl::statistics {

/// Returns the Wilson interval (1927) for the share of successes among independent samples; [0, 1] for 0
/// samples. Samples of the same task aren't independent: use `share_level` for them. `successes` and
/// `samples` needn't be whole.
Interval wilson(double successes, double samples, double confidence = 0.95);

}  // namespace trl::statistics
