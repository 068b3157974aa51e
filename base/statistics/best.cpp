#include "base/statistics/best.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace trl::statistics {

std::vector<double> expected_best(std::span<const double> chosen_by, std::span<const double> value) {
  if (chosen_by.size() != value.size()) throw std::invalid_argument("each setting has two values");
  const std::size_t n = value.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return chosen_by[a] < chosen_by[b]; });
  // Groups of settings with equal `chosen_by`, in ascending order. `before` is the number of settings in
  // earlier groups, `size` the number in this group, `mean` the mean of their values.
  struct Group {
    std::size_t before, size;
    double mean;
  };
  std::vector<Group> groups;
  for (std::size_t first = 0; first < n;) {
    std::size_t end = first;
    double sum = 0;
    while (end < n && chosen_by[order[end]] == chosen_by[order[first]]) sum += value[order[end++]];
    groups.push_back({first, end - first, sum / static_cast<double>(end - first)});
    first = end;
  }
  // The chance that all of k drawn are among the first m: C(m, k) / C(n, k) = Π (m − i) / (n − i).
  std::vector<double> among(n + 1, 1.0), expected;
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t m = 0; m <= n; ++m)
      among[m] = m < k ? 0 : among[m] * static_cast<double>(m - k + 1) / static_cast<double>(n - k + 1);
    double mean = 0;
    for (const auto& group : groups)
      mean += (among[group.before + group.size] - among[group.before]) * group.mean;
    expected.push_back(mean);
  }
  return expected;
}

}  // namespace trl::statistics
