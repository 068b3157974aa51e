#include "base/statistics/best.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "base/support/random.hpp"

namespace trl::statistics {
namespace {

/// Over every subset, with ties shared.
std::vector<double> by_enumeration(const std::vector<double>& chosen_by, const std::vector<double>& value) {
  const std::size_t n = value.size();
  std::vector<double> sums(n), counts(n);
  for (unsigned set = 1; set < 1u << n; ++set) {
    double best = -1e300, sum = 0;
    int alike = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(set >> i & 1) || chosen_by[i] < best) continue;
      if (chosen_by[i] > best) best = chosen_by[i], sum = 0, alike = 0;
      sum += value[i], ++alike;
    }
    const auto size = static_cast<std::size_t>(std::popcount(set)) - 1;
    sums[size] += sum / alike, counts[size] += 1;
  }
  for (std::size_t k = 0; k < n; ++k) sums[k] /= counts[k];
  return sums;
}

TEST(ExpectedBest, IsTheMeanOverAllSubsets) {
  RandomStream random("expected best");
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 1 + random.below(9);
    std::vector<double> chosen_by, value;
    for (std::size_t i = 0; i < n; ++i)
      chosen_by.push_back(static_cast<double>(random.below(6))), value.push_back(random.uniform());
    const auto expected = by_enumeration(chosen_by, value), found = expected_best(chosen_by, value);
    ASSERT_EQ(found.size(), n);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12) << n << " " << k;
  }
}

TEST(ExpectedBest, ChosenByItselfRisesToTheLargest) {
  std::vector<double> values;
  RandomStream random("largest");
  for (int i = 0; i < 200; ++i) values.push_back(random.uniform());
  const auto found = expected_best(values, values);
  EXPECT_NEAR(found.front(), std::accumulate(values.begin(), values.end(), 0.0) / 200, 1e-12);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_EQ(found.back(), *std::max_element(values.begin(), values.end()));
  EXPECT_TRUE(expected_best({}, {}).empty());
  EXPECT_THROW(expected_best(values, {}), std::invalid_argument);
}

}  // namespace
}  // namespace trl::statistics
