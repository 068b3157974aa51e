#pragma once

#include <vector>

namespace trl::interpreter {

/// Integers in proportion to `shares` (≥ 0) that sum to `total`: the largest remainders are rounded up first,
/// ties in order. No integer exceeds `available`; the surplus of a full group is distributed among the
/// others in proportion. The sum is smaller than `total` only if all groups with a share are full.
std::vector<int> apportion(const std::vector<double>& shares, int total, const std::vector<int>& available);

}  // namespace trl::interpreter
