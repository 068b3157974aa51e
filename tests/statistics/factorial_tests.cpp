#include "base/statistics/factorial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/statistics/simulated_study.hpp"

using namespace trl;
using namespace trl::statistics;

namespace {

using Levels = std::vector<std::vector<bool>>;

Levels complete(std::size_t factors) {
  Levels levels;
  for (std::size_t row = 0; row < std::size_t{1} << factors; ++row) {
    levels.emplace_back();
    for (std::size_t f = 0; f < factors; ++f) levels.back().push_back(row >> f & 1);
  }
  return levels;
}

/// Rows with these means, the same in both of their tasks.
std::vector<Observations> rows_with(const std::vector<double>& means, std::size_t seeds = 1) {
  std::vector<Observations> rows;
  for (const double mean : means) {
    auto& row = rows.emplace_back(2, seeds);
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t s = 0; s < seeds; ++s) row.add(t, s, mean);
  }
  return rows;
}

// The pilot plant of Box, Hunter and Hunter, 2005, ch. 5: temperature, concentration, catalyst.
const std::vector<double> pilot_plant = {60, 72, 54, 68, 52, 83, 45, 80};

}  // namespace

TEST(Factorial, EffectsOfBoxHunterAndHuntersPilotPlant) {
  const auto effects = factorial_effects(complete(3), rows_with(pilot_plant));
  ASSERT_EQ(effects.size(), 7);
  const std::vector<std::pair<Factors, double>> known = {
      {{0}, 23}, {{1}, -5}, {{2}, 1.5}, {{0, 1}, 1.5}, {{0, 2}, 10}, {{1, 2}, 0}, {{0, 1, 2}, 0.5}};
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(effects[i].factors, known[i].first);
    EXPECT_NEAR(effects[i].estimate->value, known[i].second, 1e-9);
  }
}

TEST(Factorial, WithOneSeedPoolsTheContrastsOfHigherOrder) {
  const auto effects = factorial_effects(complete(3), rows_with(pilot_plant));
  const double mean_square = (1.5 * 1.5 + 10 * 10 + 0 + 0.5 * 0.5) / 4;
  EXPECT_EQ(effects[0].pooled, 4);
  EXPECT_EQ(effects[0].estimate->degrees_of_freedom, 4);
  EXPECT_NEAR(effects[0].estimate->standard_error, std::sqrt(mean_square), 1e-9);
  EXPECT_EQ(effects[0].estimate->scope, Scope::recipe);
  // For interactions of two only one contrast is left, which is too few.
  EXPECT_EQ(effects[3].pooled, 0);
  EXPECT_EQ(effects[3].estimate->scope, Scope::these_runs);
  // Of four factors, five contrasts are left for them.
  const auto four = factorial_effects(complete(4), rows_with(std::vector<double>(16, 0.5)));
  EXPECT_EQ(four[4].factors.size(), 2);
  EXPECT_EQ(four[4].pooled, 5);
}

TEST(Factorial, WithOneSeedAddsWhatTasksAddToTheEffectItself) {
  // The first factor helps the one task and harms the other, and nothing else varies.
  std::vector<Observations> rows;
  for (std::size_t row = 0; row < 8; ++row) {
    rows.emplace_back(2, 1);
    rows.back().add(0, 0, row & 1 ? 1 : 0), rows.back().add(1, 0, row & 1 ? 0 : 1);
  }
  const auto effects = factorial_effects(complete(3), rows);
  EXPECT_NEAR(effects[0].estimate->value, 0, 1e-12);
  EXPECT_NEAR(effects[0].estimate->standard_error, 1, 1e-9);  // ±1, two tasks: √(2 / (2 × 1)).
  EXPECT_NEAR(effects[1].estimate->standard_error, 0, 1e-12);
}

TEST(Factorial, WithSeveralSeedsNeedsNoPool) {
  for (const auto& effect : factorial_effects(complete(2), rows_with({0.1, 0.2, 0.3, 0.5}, 2))) {
    EXPECT_EQ(effect.pooled, 0);
    EXPECT_EQ(effect.estimate->scope, Scope::recipe);
  }
}

TEST(Factorial, AContrastIsExposedToTheRunsThatItsRowsDoNotShare) {
  // Rows that differ in the third factor alone share their first run.
  const SharedRuns runs = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const auto effects = effects_of_design(complete(3));
  EXPECT_EQ(exposure_of(effects[0].coefficients, runs), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(exposure_of(effects[2].coefficients, runs), (std::vector<double>{0, 0.5}));
  EXPECT_TRUE(exposure_of(effects[0].coefficients, {}).empty());
}

TEST(Factorial, ContrastsWithLessOfTheRunsDoNotStandForAnErrorWithMore) {
  const SharedRuns runs = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const auto effects = factorial_effects(complete(3), rows_with(pilot_plant), {}, runs);
  // Only the interaction of the first two factors has as much of the first runs as these factors' effects.
  EXPECT_EQ(effects[0].pooled, 0);
  EXPECT_EQ(effects[0].estimate->scope, Scope::these_runs);
  // The third factor's effect has none of them, so that any interaction may stand for it.
  EXPECT_EQ(effects[2].pooled, 4);
  EXPECT_EQ(effects[2].estimate->scope, Scope::recipe);
  // A first run of all rows is in no contrast.
  SharedRuns all(8, {0, 0});
  for (std::size_t row = 0; row < 8; ++row) all[row][1] = row;
  EXPECT_EQ(factorial_effects(complete(3), rows_with(pilot_plant), {}, all)[0].pooled, 4);
}

TEST(Factorial, WithSeveralSeedsPoolsWhatContrastsDifferByBetweenSeeds) {
  RandomStream stream("shared seeds");
  const StudyModel model{.tasks = 20, .seeds = 3, .samples = 2, .rows = 4, .seed_noise = 0.05};
  const auto rows = simulate(model, stream).rows;
  // All rows go on from one run, so that the three contrasts have two degrees of freedom each.
  const auto pooled = factorial_effects(complete(2), rows, {}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  double seeds = 0, interaction = 0;
  std::vector<double> own;
  for (const auto& effect : pooled) {
    std::vector<Scores> scores;
    for (const auto& row : rows) scores.push_back(*scores_of(row, Weighting::by_sample));
    const auto spread = spread_of(scores, effect.coefficients, true);
    seeds += spread.seeds / 3, interaction += spread.interaction / 3;
    own.push_back(spread.interaction);
  }
  EXPECT_GT(seeds, 0);
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    EXPECT_EQ(pooled[i].pooled, 0);
    EXPECT_NEAR(pooled[i].estimate->spread.seeds, seeds * own[i] / interaction, 1e-12);
    EXPECT_LT(pooled[i].estimate->spread.seeds_freedom, 6);
    EXPECT_GT(pooled[i].estimate->spread.seeds_freedom, 4.5);
    EXPECT_EQ(pooled[i].estimate->scope, Scope::recipe);
  }
  // Rows that share nothing needn't be paired by seed: their common mean counts, too.
  EXPECT_GT(factorial_effects(complete(2), rows)[0].estimate->spread.seeds_freedom,
            pooled[0].estimate->spread.seeds_freedom);
  // Rows of one level of the first factor share a run: its effect has the runs' error, the others theirs.
  const SharedRuns runs = {{0, 10, 1}, {0, 11, 2}, {0, 10, 3}, {0, 11, 4}};
  const auto split = factorial_effects(complete(2), rows, {}, runs);
  EXPECT_LT(split[0].estimate->spread.seeds_freedom, 2);
  EXPECT_GT(split[0].estimate->spread.seeds_freedom, 1.5);
  EXPECT_LT(split[1].estimate->spread.seeds_freedom, 4);
  EXPECT_GT(split[1].estimate->spread.seeds_freedom, 3);
}

TEST(Factorial, WhereAFactorNeverActedItsEffectIsTheInteraction) {
  // The third factor acts with the first alone: without it, its two levels are one run.
  auto rows = rows_with({0.1, 0.4, 0.2, 0.6, 0.1, 0.5, 0.2, 0.9});
  const SharedRuns runs = {{0}, {1}, {2}, {3}, {0}, {4}, {2}, {5}};
  const auto effects = factorial_effects(complete(3), rows, {}, runs);
  EXPECT_NEAR(effects[2].estimate->value, effects[4].estimate->value, 1e-12);
  // Their interaction compares the same runs, and doesn't stand for the effect's error.
  for (const auto other : contrasts_for_error(effects, 2, runs))
    EXPECT_NE(effects[other].factors, (Factors{0, 2}));
  EXPECT_EQ(effects[2].pooled, 0) << "two contrasts are left, which is too few";
  EXPECT_EQ(effects[2].estimate->scope, Scope::these_runs);
}

TEST(Factorial, AFractionNamesItsAliases) {
  // 2^(3−1) with C = AB.
  Levels half = complete(2);
  for (auto& row : half) row.push_back(row[0] == row[1]);
  const auto effects = effects_of_design(half);
  ASSERT_EQ(effects.size(), 3);
  EXPECT_EQ(effects[2].factors, Factors{2});
  const auto fifth = [] {  // 2^(4−1) with D = ABC.
    Levels levels = complete(3);
    for (auto& row : levels) row.push_back((row[0] ^ row[1] ^ row[2]) != 0);
    return effects_of_design(levels);
  }();
  ASSERT_EQ(fifth.size(), 7);
  EXPECT_EQ(fifth[4].factors, (Factors{0, 1}));
  EXPECT_EQ(fifth[4].aliases, (std::vector<Factors>{{2, 3}}));
}

TEST(Factorial, RefusesDesignsThatAreNotOrthogonal) {
  auto levels = complete(3);
  levels.pop_back();
  EXPECT_THROW(effects_of_design(levels), std::invalid_argument);
  EXPECT_THROW(effects_of_design({}), std::invalid_argument);
  EXPECT_THROW(factorial_effects(complete(3), rows_with({1, 2})), std::invalid_argument);
  auto twice = complete(2);
  for (const auto& row : complete(2)) twice.push_back(row);
  EXPECT_THROW(effects_of_design(twice), std::invalid_argument);
}

TEST(Factorial, SaysWhatRunsOfOneSeedVaryBy) {
  const auto seeds = *seeds_of_design(complete(3), rows_with(pilot_plant));
  EXPECT_NEAR(seeds.one_run, (1.5 * 1.5 + 10 * 10 + 0 + 0.5 * 0.5) / 4 * 2, 1e-9);
  EXPECT_EQ(seeds.degrees_of_freedom, 4);
  EXPECT_FALSE(seeds_of_design(complete(2), rows_with({0.1, 0.2, 0.3, 0.5})));
}

TEST(Lenth, OfThePilotPlantWithHisFactorsForSevenEffects) {
  const std::vector<double> effects = {23, -5, 1.5, 1.5, 10, 0, 0.5};
  const auto margins = *lenth(effects);
  EXPECT_NEAR(margins.pseudo_standard_error, 1.5 * 1.5, 1e-12);
  // 3.764 and 9.008 stand in table 1 of Lenth 1989.
  EXPECT_NEAR(margins.margin, 3.764 * 2.25, 2e-3);
  EXPECT_NEAR(margins.simultaneous_margin, 9.008 * 2.25, 5e-3);
  EXPECT_FALSE(lenth(std::vector<double>{1, 2}));
}

TEST(HalfNormal, OrdersMagnitudesAndGivesDanielsQuantiles) {
  const auto points = half_normal_plot(std::vector<double>{-3, 1, 2});
  ASSERT_EQ(points.size(), 3);
  EXPECT_EQ(points[0].effect, 1);
  EXPECT_EQ(points[2].magnitude, 3);
  EXPECT_NEAR(points[0].quantile, 0.2104, 1e-4);  // Of 7/12 of the normal distribution.
  EXPECT_NEAR(points[1].quantile, 0.6745, 1e-4);
  EXPECT_NEAR(points[2].quantile, 1.3830, 1e-4);
}
