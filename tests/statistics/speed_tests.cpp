#include "base/statistics/speed.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace trl::statistics;

TEST(SpeedRatio, LooksOnlyAtTasksThatBothRowsSolve) {
  // Every kernel is equally fast in both rows; the first also solves tasks that are slow.
  Observations first(6, 1), second(6, 1);
  const double logs[] = {0.9, 1.1, 1.0, -0.5, -0.6, -0.4};
  for (std::size_t t = 0; t < 6; ++t) first.add(t, 0, logs[t]);
  for (std::size_t t = 0; t < 3; ++t) second.add(t, 0, logs[t]);
  const auto ratio = *speed_ratio(first, second);
  EXPECT_NEAR(ratio.ratio, 1, 1e-12);
  EXPECT_EQ(ratio.common_tasks, 3);
  EXPECT_EQ(ratio.only_first, 3);
  EXPECT_EQ(ratio.only_second, 0);
}

TEST(SpeedRatio, CountsTasksAlikeWhateverTheNumberOfSolutions) {
  Observations first(2, 1), second(2, 1);
  for (int i = 0; i < 99; ++i) first.add(0, 0, std::log(2));
  first.add(1, 0, 0), second.add(0, 0, 0), second.add(1, 0, 0);
  EXPECT_NEAR(speed_ratio(first, second)->ratio, std::sqrt(2), 1e-12);
}

TEST(SpeedRatio, OfSharedSeedsNeedsBothRowsToSolveTheTaskUnderTheSameSeed) {
  Observations first(3, 2), second(3, 2);
  first.add(0, 0, 1), second.add(0, 1, 1);
  for (std::size_t t = 1; t < 3; ++t) first.add(t, 0, 1), second.add(t, 0, 1);
  EXPECT_EQ(speed_ratio(first, second)->common_tasks, 3);
  EXPECT_EQ(speed_ratio(first, second, {.shared_seeds = true})->common_tasks, 2);
}

TEST(SpeedRatio, OfRowsWithoutCommonTasksIsNothing) {
  Observations first(2, 1), second(2, 1);
  first.add(0, 0, 1), second.add(1, 0, 1);
  EXPECT_FALSE(speed_ratio(first, second));
}

TEST(SpeedRatio, OfPairsIsTheMeanOfTheirsEachOnItsOwnCommonTasks) {
  Observations a(3, 1), b(3, 1), c(3, 1), d(3, 1);
  for (std::size_t t = 0; t < 3; ++t) a.add(t, 0, std::log(2) + 0.1 * static_cast<double>(t)), b.add(t, 0, 0);
  c.add(2, 0, std::log(8)), d.add(2, 0, 0), d.add(1, 0, 5);
  const double first = std::log(speed_ratio(a, b)->ratio);
  const SpeedPair pairs[] = {{&a, &b}, {&c, &d}};
  EXPECT_NEAR(speed_ratio(pairs)->log_ratio.value, (first + std::log(8)) / 2, 1e-12);
  EXPECT_EQ(speed_ratio(pairs)->common_tasks, 4);
  EXPECT_NEAR(speed_ratio(pairs, 2)->log_ratio.value, (first + std::log(8)) / 4, 1e-12)
      << "pairs that are the same count as a ratio of 1";
  // A pair without common tasks says nothing.
  Observations none(3, 1);
  const SpeedPair with_none[] = {{&a, &b}, {&none, &d}};
  EXPECT_NEAR(speed_ratio(with_none)->log_ratio.value, first, 1e-12);
}

TEST(SpeedRatio, ARowInSeveralPairsVariesAsOne) {
  // Against one control the control's runs don't average out, against two equal ones they do.
  const auto row = [](double slow, double fast) {
    Observations out(4, 2);
    for (std::size_t t = 0; t < 4; ++t) out.add(t, 0, slow), out.add(t, 1, fast);
    return out;
  };
  const Observations a = row(1, 1), b = row(1, 1), control = row(0, 0.5), copy = control;
  const SpeedPair one[] = {{&a, &control}, {&b, &control}}, two[] = {{&a, &control}, {&b, &copy}};
  const double shared = speed_ratio(one, 0)->log_ratio.standard_error,
               apart = speed_ratio(two, 0)->log_ratio.standard_error;
  EXPECT_NEAR(shared, 0.25, 1e-9);  // √(0.125 / 2), of two runs that differ by 0.5.
  EXPECT_NEAR(apart, shared / std::sqrt(2), 1e-9);
}

TEST(FastProfile, IsTheShareThatIsCorrectAndFaster) {
  const TimedSample samples[] = {{0, 0, 2.0}, {0, 0, {}}, {1, 0, 0.5}, {1, 0, 3.0}, {2, 0, {}}, {2, 0, {}}};
  const double thresholds[] = {0, 1, 2, 5};
  const auto profile = fast_profile(3, 1, samples, thresholds, Band::pointwise);
  ASSERT_EQ(profile.size(), 4);
  EXPECT_NEAR(profile[0].value, 3.0 / 6, 1e-12);
  EXPECT_NEAR(profile[1].value, 2.0 / 6, 1e-12);
  EXPECT_NEAR(profile[2].value, 1.0 / 6, 1e-12);  // More than twice as fast.
  EXPECT_EQ(profile[3].value, 0);
  const auto all = fast_profile(3, 1, samples, thresholds, Band::simultaneous);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE(all[i].interval->low, profile[i].interval->low);
    EXPECT_GT(all[i].interval->high, profile[i].interval->high);
  }
  EXPECT_TRUE(fast_profile(3, 1, {}, thresholds, Band::pointwise).empty());
}
