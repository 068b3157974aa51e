#pragma once

namespace trl::statistics {

struct Interval {
  double low = 0, high = 0;
};

}  // namespace trl::statistics
