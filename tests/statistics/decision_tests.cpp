#include "base/statistics/decision.hpp"

#include <gtest/gtest.h>

using namespace trl::statistics;

namespace {

Estimate difference(double value, double standard_error, double freedom = 30) {
  return {.value = value,
          .standard_error = standard_error,
          .degrees_of_freedom = freedom,
          .interval = {},
          .scope = Scope::recipe};
}

Verdict verdict_of(const Hypothesis& hypothesis) { return decide({&hypothesis, 1}).front().verdict; }

Hypothesis expects(Expectation expectation, double value, double standard_error,
                   std::optional<double> smallest = {}) {
  return {.difference = difference(value, standard_error),
          .expectation = expectation,
          .smallest_effect = smallest,
          .alpha = 0.05,
          .inert = false};
}

}  // namespace

TEST(Holm, AdjustsFromTheSmallestAndNeverGoesBack) {
  const double p[] = {0.03, 0.01, 0.02};
  EXPECT_EQ(holm(p), (std::vector<double>{0.04, 0.03, 0.04}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(Verdict, GoesByTheSideThatWasExpected) {
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 5, 1)), Verdict::supported);
  EXPECT_EQ(verdict_of(expects(Expectation::greater, -5, 1)), Verdict::refuted);
  EXPECT_EQ(verdict_of(expects(Expectation::less, -5, 1)), Verdict::supported);
  EXPECT_EQ(verdict_of(expects(Expectation::less, 5, 1)), Verdict::refuted);
  EXPECT_EQ(verdict_of(expects(Expectation::different, -5, 1)), Verdict::supported);
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 1, 1)), Verdict::undecided);
}

TEST(Verdict, OfADifferenceTooSmallToMatterIsEquivalentEvenIfItIsClearOfZero) {
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 0.5, 1, 5)), Verdict::equivalent);
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 0.5, 0.1, 5)), Verdict::equivalent);
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 0.5, 0.1, 0.6)), Verdict::supported);
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 4, 3, 5)), Verdict::undecided);
}

TEST(Verdict, OfRowsThatAreTheSameIsInertAndLeavesTheOthersAlone) {
  auto same = expects(Expectation::greater, 0, 0);
  same.inert = true;
  // p = 0.045 alone: with the inert hypothesis in the family it would be doubled.
  const Hypothesis family[] = {same, expects(Expectation::greater, 2.09, 1)};
  const auto decisions = decide(family);
  EXPECT_EQ(decisions[0].verdict, Verdict::inert);
  EXPECT_EQ(decisions[1].verdict, Verdict::supported);
}

TEST(Verdict, IsAdjustedWithinTheFamily) {
  const Hypothesis one = expects(Expectation::greater, 2.09, 1);
  const Hypothesis family[] = {one, one};
  EXPECT_EQ(verdict_of(one), Verdict::supported);
  EXPECT_EQ(decide(family)[0].verdict, Verdict::undecided);
  EXPECT_NEAR(decide(family)[0].p_different, 2 * p_value(one.difference), 1e-12);
}

TEST(Verdict, WithoutAnErrorIsUndecided) {
  EXPECT_EQ(verdict_of(expects(Expectation::greater, 5, 0, 1)), Verdict::undecided);
  Hypothesis one_task = expects(Expectation::greater, 5, 1, 10);
  one_task.difference.degrees_of_freedom = 0;
  EXPECT_EQ(verdict_of(one_task), Verdict::undecided);
}

TEST(Verdict, OfTheseRunsOnlyIsUndecidedAndLeavesTheOthersAlone) {
  Hypothesis one_run = expects(Expectation::greater, 5, 1, 100);
  one_run.difference.scope = Scope::these_runs;
  const Hypothesis family[] = {one_run, expects(Expectation::greater, 2.09, 1)};
  const auto decisions = decide(family);
  EXPECT_EQ(decisions[0].verdict, Verdict::undecided);
  EXPECT_EQ(decisions[0].scope, Scope::these_runs);
  EXPECT_EQ(decisions[1].verdict, Verdict::supported);
}

TEST(Verdict, OfTheSameNeedsASmallestEffect) {
  EXPECT_EQ(verdict_of(expects(Expectation::same, 0.5, 1)), Verdict::undecided);
  EXPECT_EQ(verdict_of(expects(Expectation::same, 0.5, 1, 5)), Verdict::supported);
  EXPECT_EQ(verdict_of(expects(Expectation::same, 4, 3, 5)), Verdict::undecided);
  // Clear of 0, but not of the smallest effect.
  EXPECT_EQ(verdict_of(expects(Expectation::same, 6, 1, 5)), Verdict::undecided);
  EXPECT_EQ(verdict_of(expects(Expectation::same, 8, 1, 5)), Verdict::refuted);
  EXPECT_EQ(verdict_of(expects(Expectation::same, -8, 1, 5)), Verdict::refuted);
}

TEST(Verdict, GoesByTheHypothesisOwnAlpha) {
  auto one = expects(Expectation::greater, 2.09, 1);
  one.alpha = 0.01;
  EXPECT_EQ(verdict_of(one), Verdict::undecided);
}
