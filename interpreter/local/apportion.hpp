#pragma once

#include <vector>

namespace trl::interpreter {

/// Distributes `total` among groups, as integers in proportion to `shares` (≥ 0). The largest remainders are
/// rounded up first; of equal remainders, the earlier group's. No group gets more than its `available`; the
/// surplus of a full group is distributed among the other groups in proportion. The sum is smaller than
/// `total` only if all groups with a share are full.
std::vector<int> apportion(const std::vector<double>& shares, int total, const std::vector<int>& available);

}  // namespace trl::interpreter
