#include "base/formulas/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/language_core/formulas.hpp"

namespace trl::formulas {
namespace {

using Verdict = Proof::Verdict;

/// What a verdict can be: speedup is 0 unless correct, credit is 0 if correct.
Ranges candidate(double most_credit) {
  Ranges ranges;
  ranges.values = {{"c.correct", Domain::truth_values()},
                   {"c.speedup", Domain::number(0, infinity)},
                   {"c.credit", Domain::number(0, most_credit)}};
  ranges.implications = {{"c.correct", false, "c.speedup", {0, 0}}, {"c.correct", true, "c.credit", {0, 0}}};
  ranges.functions = {{"accuracy", Domain::number(0, 1)}};
  return ranges;
}

Ranges between(double low, double high) {
  Ranges ranges;
  ranges.values = {{"x", Domain::number(low, high)}, {"y", Domain::number(low, high)}};
  return ranges;
}

TEST(Prove, RewardOfTheExampleIsAFraction) {
  EXPECT_EQ(prove_within(reward(), candidate(0.7), 0, 1).verdict, Verdict::Proven);
}

TEST(Prove, ShareOfTheExampleIsAFraction) {
  EXPECT_EQ(prove_within(share(), candidate(0), 0, 1).verdict, Verdict::Proven);
  EXPECT_EQ(prove_within(share(), candidate(0), 0.1, 0.5).verdict, Verdict::Proven);
}

TEST(Prove, SpeedupWithoutAClampIsRefutedByACandidate) {
  const Expression expression = op("+", 0.7, op("*", 0.3, member("c", "speedup")));
  const Proof proof = prove_within(expression, candidate(0.7), 0, 1);
  ASSERT_EQ(proof.verdict, Verdict::Refuted);
  EXPECT_GT(proof.value, 1);
  EXPECT_EQ(proof.witness.at("c.correct"), Value(true));
  EXPECT_GT(std::get<double>(proof.witness.at("c.speedup")), 1);
}

TEST(Prove, ARewardThatKeepsAWrongKernelIsRefuted) {
  // Not kept when wrong: if not c.correct then reward <= 0.5.
  const Expression kept_when_wrong = choose(member("c", "correct"), 0, reward());
  const Proof proof = prove_within(kept_when_wrong, candidate(0.7), 0, 0.5);
  ASSERT_EQ(proof.verdict, Verdict::Refuted);
  EXPECT_EQ(record_text(proof.witness), "c.correct = false, c.credit = 0.7, c.speedup = 0");
  EXPECT_DOUBLE_EQ(proof.value, 0.7);
  EXPECT_EQ(prove_within(kept_when_wrong, candidate(0.5), 0, 0.5).verdict, Verdict::Proven);
}

TEST(Prove, ImplicationsExcludeWhatCannotBe) {
  // Without the implication, credit and speedup could both count.
  const Expression both = op("+", member("c", "credit"), call("min", member("c", "speedup"), 1));
  EXPECT_EQ(prove_within(both, candidate(0.7), 0, 1).verdict, Verdict::Proven);
}

TEST(Prove, SharesThatCancelSumToOneExactly) {
  const Expression sum = op("+", share(), op("-", 1, share()));
  EXPECT_EQ(prove_within(sum, candidate(0), 1, 1).verdict, Verdict::Proven);
  const Expression unequal = op("+", share(), op("-", 0.9, share()));
  EXPECT_EQ(prove_within(unequal, candidate(0), 1, 1).verdict, Verdict::Refuted);
}

TEST(Prove, SplitsWhereIntervalsAloneAreTooWide) {
  const Expression parabola = op("*", name("x"), op("-", 1, name("x")));
  EXPECT_EQ(prove_within(parabola, between(0, 1), 0, 0.26).verdict, Verdict::Proven);
  EXPECT_EQ(prove_within(parabola, between(0, 1), 0, 0.2).verdict, Verdict::Refuted);
}

TEST(Prove, SplitsAtComparisons) {
  const Expression folded = choose(op(">", name("x"), 0.5), name("x"), op("-", 1, name("x")));
  EXPECT_EQ(prove_within(folded, between(0, 1), 0.5, 1).verdict, Verdict::Proven);
}

TEST(Prove, DivisionByWhatCanBeZeroIsRefutedWithItsWitness) {
  const Proof proof = prove_within(op("/", 1, call("accuracy", name("level1"))), candidate(0), 0, 1e9);
  ASSERT_EQ(proof.verdict, Verdict::Refuted);
  EXPECT_TRUE(contains(proof.no_value, "division by zero"));
  EXPECT_EQ(record_text(proof.witness), "accuracy(level1) = 0");
}

TEST(Prove, NamesThePartThatMayHaveNoValue) {
  const Expression log = call("log", name("x"));
  const Proof refuted = prove_within(call("clamp", log, 0, 1), between(0, 4), 0, 1);
  ASSERT_EQ(refuted.verdict, Verdict::Refuted);
  EXPECT_EQ(record_text(refuted.witness), "x = 0");
  ASSERT_TRUE(refuted.undefined);
  EXPECT_EQ(formula_text(*refuted.undefined), "log(x)");
}

TEST(Prove, BelievesAConditionThatKeepsALogarithmFromZero) {
  const Expression log = call("log", name("x")), above = op(">", name("x"), 0);
  EXPECT_EQ(prove_within(choose(above, call("clamp", log, 0, 1), 0), between(0, 1e6), 0, 1).verdict,
            Verdict::Proven);
  // Near 0 it has no bound.
  EXPECT_EQ(prove_within(choose(above, op("neg", log), 0), between(0, 1), 0, 1e9).verdict, Verdict::Unknown);
  // What overflows has no value.
  const Proof large = prove_within(call("min", call("exp", name("x")), 1), between(0, 1e6), 0, 1);
  EXPECT_NE(large.verdict, Verdict::Proven);
  ASSERT_TRUE(large.undefined);
  EXPECT_EQ(formula_text(*large.undefined), "exp(x)");
}

TEST(Prove, UnknownSaysWhichClampWouldDo) {
  // The bound is exceeded only near the peak at 0.3337, where no trial falls.
  const Expression peak = call("exp", op("neg", op("^", op("-", name("x"), op("+", 0.3, 0.0337)), 2)));
  const Proof proof = prove_within(peak, between(0, 1), 0, 0.9999);
  EXPECT_EQ(proof.verdict, Verdict::Unknown);
  EXPECT_EQ(proof.hint, "min(…, 0.9999)");
}

TEST(Bound, EnclosesFunctions) {
  const auto is = [](const Interval& range, double low, double high) {
    EXPECT_NEAR(range.low, low, 1e-12);
    EXPECT_NEAR(range.high, high, 1e-12);
  };
  is(bound(call("abs", name("x")), between(-2, 1)), 0, 2);
  is(bound(op("^", name("x"), 2), between(-2, 1)), 0, 4);
  is(bound(call("clamp", name("x"), 0, 1), between(-5, 5)), 0, 1);
  is(bound(op("-", name("x"), name("x")), between(-5, 5)), 0, 0);
  is(bound(op("<", name("x"), 9), between(-5, 5)), 1, 1);
  is(bound(op("/", 1, name("x")), between(2, 4)), 0.25, 0.5);
  is(bound(call("mod", name("x"), 3), between(-9, 9)), 0, 3);
}

TEST(Bound, EnclosesPowers) {
  const auto is = [](const Interval& range, double low, double high) {
    EXPECT_NEAR(range.low, low, 1e-12);
    EXPECT_NEAR(range.high, high, 1e-12);
  };
  is(bound(op("^", 2, op("neg", 2)), {}), 0.25, 0.25);
  is(bound(op("^", name("x"), -1), between(2, 4)), 0.25, 0.5);
  is(bound(op("^", name("x"), -1), between(-4, -2)), -0.5, -0.25);
  is(bound(op("^", name("x"), -2), between(-4, -2)), 1.0 / 16, 0.25);
  is(bound(op("^", name("x"), 0), between(-4, 4)), 1, 1);
  is(bound(op("^", name("x"), -0.5), between(4, 9)), 1.0 / 3, 0.5);
  is(bound(op("^", 2, name("x")), between(-2, 3)), 0.25, 8);
  EXPECT_EQ(
      prove_within(op("+", op("^", 2, op("neg", 2)), op("*", 0.4, name("x"))), between(0, 1), 0, 1).verdict,
      Verdict::Proven);
}

TEST(ZeroDenominators, OfNegativePowers) {
  EXPECT_EQ(zero_denominators(op("^", name("x"), -1), between(0, 1)).size(), 1u);
  EXPECT_TRUE(zero_denominators(op("^", name("x"), -1), between(0, 1))[0].certain);
  EXPECT_TRUE(zero_denominators(op("^", name("x"), 2), between(0, 1)).empty());
  EXPECT_TRUE(zero_denominators(op("^", op("+", name("x"), 1), -1), between(0, 1)).empty());
}

TEST(Prove, WhatIsTooLargeForANumberIsNoValue) {
  const Expression saturated = call("min", call("exp", op("*", 1000, name("x"))), 1);
  EXPECT_NE(prove_within(saturated, between(0, 1), 0, 1).verdict, Verdict::Proven);
}

TEST(ZeroDenominators, AreFoundWhereTheyCanBeReached) {
  const Ranges ranges = between(0, 1);
  const Expression bad = op("/", 1, placed(name("x"), 4, 5));
  auto found = zero_denominators(bad, ranges);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].denominator.at(), (Place{4, 5}));
  EXPECT_TRUE(found[0].certain);
  EXPECT_EQ(found[0].witness.at("x"), Value(0.0));
  EXPECT_TRUE(zero_denominators(op("/", 1, call("max", name("x"), 0.01)), ranges).empty());
  const Expression guarded = choose(op(">", name("x"), 0), op("/", 1, name("x")), 0);
  EXPECT_TRUE(zero_denominators(guarded, ranges).empty());
  EXPECT_FALSE(zero_denominators(call("mod", 1, name("x")), ranges).empty());
  found = zero_denominators(call("min", call("max", bad, 0), 1), ranges);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].denominator, placed(name("x"), 4, 5)) << "within a call's arguments";
}

}  // namespace
}  // namespace trl::formulas
