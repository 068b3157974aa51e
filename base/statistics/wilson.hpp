// Wilson's score interval, for samples that are independent.
#pragma once

#include "base/statistics/interval.hpp"

namespace trl::statistics {

/// Wilson's interval (1927) for the share of successes in so many independent samples, which is [0, 1] for
/// none. Samples of the same task aren't independent: `share_level` is for these. Numbers needn't be whole.
Interval wilson(double successes, double samples, double confidence = 0.95);

}  // namespace trl::statistics
