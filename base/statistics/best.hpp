// The expected result of the best of k random settings.
#pragma once

#include <span>
#include <vector>

namespace trl::statistics {

/// Returns, for k = 1 … n, the expected result if k of the n settings are chosen at random without
/// replacement and the one with the largest `chosen_by` is taken: the mean of its `value` over all choices.
/// Settings with equal `chosen_by` are taken equally often. (Dodge et al. 2019, "Show Your Work", choose with
/// replacement; but a sweep doesn't run a setting twice.) Throws std::invalid_argument if `chosen_by` and
/// `value` differ in length.
std::vector<double> expected_best(std::span<const double> chosen_by, std::span<const double> value);

}  // namespace trl::statistics
