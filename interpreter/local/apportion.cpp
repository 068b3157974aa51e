#include "interpreter/local/apportion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trl::interpreter {
namespace {

std::vector<int> by_largest_remainder(const std::vector<double>& shares, int total) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<int> counts(shares.size(), 0);
  if (sum <= 0) return counts;
  std::vector<double> remainder(shares.size());
  int left = total;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double exact = total * shares[i] / sum;
    // Without the 1e-9, a share of 0.3 of 10 could become 2 with a remainder, because of floating-point
    // rounding.
    counts[i] = static_cast<int>(std::floor(exact + 1e-9));
    remainder[i] = exact - counts[i];
    left -= counts[i];
  }
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return remainder[a] > remainder[b] + 1e-9; });
  for (std::size_t i = 0; left > 0; i = (i + 1) % order.size())
    if (shares[order[i]] > 0) ++counts[order[i]], --left;
  return counts;
}

}  // namespace

std::vector<int> apportion(const std::vector<double>& shares, int total, const std::vector<int>& available) {
  std::vector<int> counts(shares.size(), 0);
  std::vector<double> open = shares;
  int left = total;
  while (left > 0) {
    const auto more = by_largest_remainder(open, left);
    bool full = false;
    int given = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (more[i] > available[i] - counts[i]) full = true;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const int room = available[i] - counts[i];
      if (full && more[i] < room) continue;
      const int take = std::min(more[i], room);
      counts[i] += take, given += take;
      if (full) open[i] = 0;
    }
    left -= given;
    if (!full) break;
  }
  return counts;
}

}  // namespace trl::interpreter
