#include "interpreter/report/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpreter/report/column.hpp"

using namespace trl::interpreter;

namespace {

Measurement shares(const std::vector<double>& means, std::uint64_t seed = 1) {
  Measurement measurement;
  for (std::size_t i = 0; i < means.size(); ++i)
    measurement.clusters.push_back({seed, "task" + std::to_string(i), means[i], 1});
  return measurement;
}

}  // namespace

TEST(PercentileInterval, LeavesOneFortiethOnEitherSide) {
  std::vector<double> values;
  for (int i = 2000; i >= 1; --i) values.push_back(i);
  const auto interval = percentile_interval(values);
  EXPECT_EQ(interval->low, 51);
  EXPECT_EQ(interval->high, 1950);
}

TEST(Bootstrap, OfTwoTasksOneRightSpansEverything) {
  // Resamples of two: both wrong with probability 1/4, one each 1/2, both right 1/4. More than 2.5 % on
  // either side are extremes.
  const auto interval = bootstrap(shares({0, 1}));
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 1);
}

TEST(Bootstrap, OfEqualTasksIsAPoint) {
  const auto interval = bootstrap(shares({0.5, 0.5, 0.5}));
  EXPECT_EQ(interval->low, 0.5);
  EXPECT_EQ(interval->high, 0.5);
}

TEST(Bootstrap, IsNearTheNormalIntervalForManyTasks) {
  std::vector<double> means(100, 0.0);
  for (int i = 0; i < 40; ++i) means[i] = 1;
  const auto interval = bootstrap(shares(means));
  const double half = 1.96 * std::sqrt(0.4 * 0.6 / 100);
  EXPECT_NEAR(interval->low, 0.4 - half, 0.015);
  EXPECT_NEAR(interval->high, 0.4 + half, 0.015);
}

TEST(Bootstrap, SamplesOfATaskAreNotIndependent) {
  // Ten equal samples of each of 4 tasks give an interval as wide as that of 4 samples instead of 40.
  Measurement clustered;
  for (int task = 0; task < 4; ++task)
    clustered.clusters.push_back({1, "t" + std::to_string(task), task % 2 * 10.0, 10});
  const auto interval = bootstrap(clustered);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 1);
}

TEST(Bootstrap, OfOneTaskOrNothingHasNoInterval) {
  EXPECT_FALSE(bootstrap(shares({1})));
  EXPECT_FALSE(bootstrap(Measurement{}));
  EXPECT_FALSE(Measurement{}.estimate());
}

TEST(Bootstrap, GeometricMeansAreOfLogarithms) {
  Measurement speedups;
  speedups.geometric = true;
  speedups.clusters = {{1, "a", std::log(2.0), 1}, {1, "b", std::log(8.0), 1}};
  EXPECT_NEAR(*speedups.estimate(), 4, 1e-12);
}

TEST(PairedContrast, OfAConstantShiftIsExact) {
  const auto contrast = paired_contrast({{shares({0.3, 0.6, 1.0}), shares({0.1, 0.4, 0.8})}});
  EXPECT_NEAR(contrast->estimate, 0.2, 1e-12);
  EXPECT_NEAR(contrast->interval->low, 0.2, 1e-12);
  EXPECT_NEAR(contrast->interval->high, 0.2, 1e-12);
}

TEST(PairedContrast, AveragesOverPairs) {
  const auto contrast = paired_contrast({{shares({1, 1}), shares({0, 0})}, {shares({0, 0}), shares({0, 0})}});
  EXPECT_NEAR(contrast->estimate, 0.5, 1e-12);
}

TEST(PassAt, IsTheUnbiasedEstimate) {
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 1), 0.25);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 1), 0.5);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 3), 1.0);
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 0), 0.0);
  EXPECT_FALSE(pass_at(5, 4, 1));
}
