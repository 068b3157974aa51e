#pragma once

#include <vector>

namespace trl::interpreter {

/// Whole numbers in proportion to `shares` (≥ 0) that sum to `total`: largest remainders first, ties by
/// order. Never more than `available`; what a full group can't take goes to the others in proportion. The sum
/// is smaller only when all groups with a share are full.
std::vector<int> apportion(const std::vector<double>& shares, int total, const std::vector<int>& available);

}  // namespace trl::interpreter
