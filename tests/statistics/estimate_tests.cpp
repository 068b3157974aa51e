#include "base/statistics/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "base/statistics/wilson.hpp"

using namespace trl::statistics;

namespace {

/// So many tasks, of which the first ones are always solved and the others never.
Observations solved(std::size_t tasks, std::size_t solved_tasks, std::size_t seeds = 1, double samples = 4) {
  Observations row(tasks, seeds);
  for (std::size_t t = 0; t < tasks; ++t)
    for (std::size_t s = 0; s < seeds; ++s) row.add_successes(t, s, t < solved_tasks ? samples : 0, samples);
  return row;
}

}  // namespace

TEST(Observations, RefuseATaskThatIsNotThere) {
  Observations row(2, 1);
  EXPECT_THROW(row.add(2, 0, 1), std::out_of_range);
  EXPECT_THROW(row.add(0, 1, 1), std::out_of_range);
}

TEST(ShareLevel, SaysWhetherItIsAboutTheRecipeOrTheRun) {
  EXPECT_EQ(share_level(solved(20, 8, 1))->scope, Scope::these_runs);
  EXPECT_EQ(share_level(solved(20, 8, 2))->scope, Scope::recipe);
  const SeedVariance elsewhere{.one_run = 0.01, .interaction = 0, .degrees_of_freedom = 8};
  const auto pooled = share_level(solved(20, 8, 1), {.seeds = elsewhere});
  EXPECT_EQ(pooled->scope, Scope::recipe);
  EXPECT_GT(pooled->standard_error, share_level(solved(20, 8, 1))->standard_error);
}

TEST(ShareLevel, CountsTasksAndNotSamples) {
  const auto few = share_level(solved(20, 8, 1, 4)), many = share_level(solved(20, 8, 1, 400));
  EXPECT_NEAR(few->interval->low, many->interval->low, 1e-12);
  EXPECT_NEAR(few->standard_error, std::sqrt(0.4 * 0.6 / 19), 1e-12);
}

TEST(ShareLevel, StaysBetweenNoneAndAll) {
  for (const std::size_t right : {0, 1, 19, 20}) {
    const auto level = *share_level(solved(20, right, 2));
    ASSERT_TRUE(level.interval);
    EXPECT_GE(level.interval->low, 0);
    EXPECT_LE(level.interval->high, 1);
    EXPECT_LT(level.interval->low, level.interval->high);
  }
}

TEST(ShareLevel, OfNoSuccessIsWilsonsForOneSampleATask) {
  const auto level = *share_level(solved(60, 0, 1, 10));
  EXPECT_FALSE(level.testable());
  EXPECT_EQ(level.interval->low, 0);
  EXPECT_NEAR(level.interval->high, 1.959964 * 1.959964 / (60 + 1.959964 * 1.959964), 1e-6);
}

TEST(ShareLevel, NeedsTwoTasks) {
  EXPECT_FALSE(share_level(Observations(3, 1)));
  const auto one = share_level(solved(1, 1));
  EXPECT_EQ(one->value, 1);
  EXPECT_FALSE(one->interval);
}

TEST(Contrast, OfEqualDifferencesHasNoError) {
  // One task more is solved in neither: the spread of the differences is unknown and not 0.
  const auto row = solved(20, 8);
  const Term terms[] = {{&row, 1}, {&row, -1}};
  const auto difference = *contrast(terms);
  EXPECT_EQ(difference.value, 0);
  EXPECT_FALSE(difference.testable());
  EXPECT_FALSE(difference.interval);
  EXPECT_EQ(p_value(difference), 1);
}

TEST(Contrast, OfDifferencesThatRoundingMakesUnequalHasNoError) {
  Observations first(9, 1), second(9, 1);
  for (std::size_t t = 0; t < 9; ++t) {
    first.add(t, 0, static_cast<double>(t) / 7 + 0.1), second.add(t, 0, static_cast<double>(t) / 7);
  }
  const Term terms[] = {{&first, 1}, {&second, -1}};
  const auto difference = *contrast(terms);
  EXPECT_GT(difference.standard_error, 0);
  EXPECT_FALSE(difference.testable());
  EXPECT_EQ(p_value(difference), 1);
}

TEST(Contrast, IsAboutTheRecipeIfAllRowsHaveSeveralSeeds) {
  const auto one = solved(20, 8, 1), two = solved(20, 10, 2), three = solved(20, 12, 3);
  const Term mixed[] = {{&one, 1}, {&two, -1}}, repeated[] = {{&three, 1}, {&two, -1}},
             unused[] = {{&three, 1}, {&two, -1}, {&one, 0}};
  EXPECT_EQ(contrast(mixed)->scope, Scope::these_runs);
  EXPECT_EQ(contrast(repeated)->scope, Scope::recipe);
  EXPECT_EQ(contrast(unused)->scope, Scope::recipe);
  EXPECT_NEAR(contrast(repeated)->value, 0.1, 1e-12);
  EXPECT_FALSE(contrast({}));
}

TEST(Contrast, OfRowsWithoutSamplesIsNothing) {
  const auto row = solved(20, 8);
  const Observations empty(20, 1);
  const Term terms[] = {{&row, 1}, {&empty, -1}};
  EXPECT_FALSE(contrast(terms));
}

TEST(Wilson, OfNoSamplesIsEverything) {
  EXPECT_EQ(wilson(0, 0).low, 0);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

TEST(Wilson, AsNewcombe1998HasIt) {
  // Table I there: 81 of 263 gives 0.2553 to 0.3662, and 0 of 20 gives 0 to 0.1611.
  EXPECT_NEAR(wilson(81, 263).low, 0.2553, 5e-5);
  EXPECT_NEAR(wilson(81, 263).high, 0.3662, 5e-5);
  EXPECT_NEAR(wilson(0, 20).high, 0.1611, 5e-5);
}
