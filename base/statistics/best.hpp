// The expected result of the best of some settings, over random choices of the settings that are tried.
#pragma once

#include <span>
#include <vector>

namespace trl::statistics {

/// The mean, over all ways to draw k of n settings, of `value` of the drawn setting whose `chosen_by` is the
/// largest, for k = 1 … n. Of settings that are alike each is chosen as often. Dodge et al. (2019, "Show Your
/// Work") draw with replacement; a sweep doesn't run a setting twice. Throws std::invalid_argument where the
/// two differ in length.
std::vector<double> expected_best(std::span<const double> chosen_by, std::span<const double> value);

}  // namespace trl::statistics
