// The variance between runs by one model: which runs rows share decides degrees of freedom and weights.
#include <gtest/gtest.h>

#include <cmath>

#include "base/statistics/decision.hpp"
#include "base/statistics/estimate.hpp"
#include "base/statistics/factorial.hpp"
#include "base/statistics/power.hpp"
#include "base/statistics/runs.hpp"
#include "base/statistics/speed.hpp"
#include "tests/statistics/simulated_study.hpp"

using namespace trl;
using namespace trl::statistics;

namespace {

std::vector<Observations> study_of(std::size_t rows, std::size_t seeds) {
  RandomStream stream("runs");
  return simulate({.tasks = 20, .seeds = seeds, .samples = 2, .rows = rows, .seed_noise = 0.05}, stream).rows;
}

/// Every row has a run of its own after one that all share.
SharedRuns one_root(std::size_t rows) {
  SharedRuns runs;
  for (std::size_t row = 0; row < rows; ++row) runs.push_back({0, row + 1});
  return runs;
}

std::vector<double> difference_of(std::size_t rows, std::size_t first, std::size_t second) {
  std::vector<double> out(rows, 0.0);
  out[first] += 1, out[second] -= 1;
  return out;
}

}  // namespace

TEST(Runs, AllRowsStandForWhatRunsVaryBy) {
  const auto rows = study_of(5, 3);
  const auto c = difference_of(5, 0, 4);
  const auto pooled = *contrast_by_runs(rows, c, one_root(5));
  // Fewer than 4 x 2 only by what rows happen to differ unlike, and by what the weights are known from.
  EXPECT_LT(pooled.spread.seeds_freedom, 4 * 2);
  EXPECT_GT(pooled.spread.seeds_freedom, 3 * 2);
  EXPECT_GT(contrast_by_runs(rows, c, {})->spread.seeds_freedom, pooled.spread.seeds_freedom);
  EXPECT_EQ(freedom_for_each_seed(c, one_root(5)), 4);
  EXPECT_EQ(freedom_for_each_seed(c, {}), 5);
  // By hand: the mean square of rows x seeds, for a difference twice over the number of seeds.
  double mean_square = 0, means[5][3], row_mean[5] = {}, seed_mean[3] = {}, mean = 0;
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t s = 0; s < 3; ++s) {
      means[r][s] = 0;
      for (std::size_t t = 0; t < 20; ++t) means[r][s] += rows[r].sum(t, s) / rows[r].count(t, s) / 20;
      row_mean[r] += means[r][s] / 3, seed_mean[s] += means[r][s] / 5, mean += means[r][s] / 15;
    }
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t s = 0; s < 3; ++s)
      mean_square += std::pow(means[r][s] - row_mean[r] - seed_mean[s] + mean, 2) / 8;
  // All pairs of rows have twice that on average; each is weighted by how much it deviates in single cells.
  double interaction = 0;
  for (std::size_t first = 0; first < 5; ++first)
    for (std::size_t second = 0; second < first; ++second) {
      const Term terms[] = {{&rows[first], 1}, {&rows[second], -1}};
      interaction += contrast(terms, {.shared_seeds = true})->spread.interaction / 10;
    }
  const Term terms[] = {{&rows[0], 1}, {&rows[4], -1}};
  const double own = contrast(terms, {.shared_seeds = true})->spread.interaction;
  EXPECT_NEAR(pooled.spread.interaction, own, 1e-12);
  EXPECT_NEAR(pooled.spread.seeds, 2 * mean_square / 3 * own / interaction, 1e-12);
}

TEST(Runs, TwinsAreOneRun) {
  auto rows = study_of(3, 3);
  rows.push_back(rows[0]);
  SharedRuns runs = one_root(3);
  runs.push_back(runs[0]);
  const auto without = contrast_by_runs(std::span(rows).first(3), difference_of(3, 0, 2), one_root(3)),
             with = contrast_by_runs(rows, difference_of(4, 3, 2), runs);
  EXPECT_DOUBLE_EQ(with->value, without->value);
  EXPECT_DOUBLE_EQ(with->standard_error, without->standard_error);
  EXPECT_DOUBLE_EQ(with->degrees_of_freedom, without->degrees_of_freedom);
  EXPECT_FALSE(contrast_by_runs(rows, difference_of(4, 0, 3), runs)->testable()) << "nothing to compare";
}

TEST(Runs, OfEqualOutcomesHaveASmallErrorAndNotNone) {
  auto rows = study_of(4, 3);
  rows[1] = rows[0];
  const auto alike = contrast_by_runs(rows, difference_of(4, 0, 1), one_root(4)),
             unlike = contrast_by_runs(rows, difference_of(4, 0, 2), one_root(4));
  ASSERT_TRUE(alike->testable());
  EXPECT_GT(alike->standard_error, 0);
  EXPECT_LT(alike->standard_error, unlike->standard_error / 4);
}

TEST(Runs, OfSplitPlotsHaveTheErrorOfTheirDepth) {
  // Two first runs, each with two runs that go on from it.
  const SharedRuns runs = {{0, 10, 1}, {0, 10, 2}, {0, 11, 3}, {0, 11, 4}};
  const auto rows = study_of(4, 3);
  const auto whole = contrast_by_runs(rows, std::vector<double>{0.5, 0.5, -0.5, -0.5}, runs),
             part = contrast_by_runs(rows, std::vector<double>{0.5, -0.5, 0.5, -0.5}, runs),
             other = contrast_by_runs(rows, std::vector<double>{0.5, -0.5, -0.5, 0.5}, runs),
             mixed = contrast_by_runs(rows, std::vector<double>{1, 0, -1, 0}, runs);
  EXPECT_LT(whole->spread.seeds_freedom, 2);
  EXPECT_GT(whole->spread.seeds_freedom, 1.5);
  EXPECT_LT(part->spread.seeds_freedom, 4);
  EXPECT_GT(part->spread.seeds_freedom, 3);
  // One row of each, by projection on the strata.
  EXPECT_NEAR(mixed->spread.seeds, whole->spread.seeds + other->spread.seeds, 1e-12);
}

TEST(Runs, ARowWithOneSeedIsOfTheseRuns) {
  auto rows = study_of(3, 3);
  Observations single(20, 3);
  for (std::size_t t = 0; t < 20; ++t) single.add(t, 0, t % 2);
  rows.push_back(single);
  EXPECT_EQ(contrast_by_runs(rows, difference_of(4, 0, 3), one_root(4))->scope, Scope::these_runs);
  const auto others = contrast_by_runs(rows, difference_of(4, 0, 1), one_root(4));
  EXPECT_EQ(others->scope, Scope::recipe);
  EXPECT_LT(others->spread.seeds_freedom, 4);
  EXPECT_GT(others->spread.seeds_freedom, 3);
  rows[3] = Observations(20, 3);
  EXPECT_FALSE(contrast_by_runs(rows, difference_of(4, 0, 3), one_root(4)));
  EXPECT_TRUE(contrast_by_runs(rows, difference_of(4, 0, 1), one_root(4)));
}

TEST(Runs, PowerOfTheSameSizeHasTheStandardErrorOfTheReport) {
  const auto rows = study_of(5, 3);
  const auto c = difference_of(5, 0, 4);
  const auto estimate = *contrast_by_runs(rows, c, one_root(5));
  const StudySize size{20, 3, 2};
  const Question question{
      .squared_coefficients = 1, .rows = 2, .runs_freedom = estimate.spread.seeds_freedom / 2};
  const auto planned = planned_variance(components_of(estimate.spread, size, 0.5), size, question);
  EXPECT_NEAR(std::sqrt(planned.value), estimate.standard_error, 1e-12);
  EXPECT_NEAR(planned.degrees_of_freedom, estimate.degrees_of_freedom, 1e-9);
  EXPECT_NEAR(*smallest_detectable(components_of(estimate.spread, size, 0.5), size, question),
              *smallest_detectable(estimate), 1e-9);
}

TEST(Runs, OfSpeedsArePooledOverThePairs) {
  RandomStream stream("speeds of runs");
  std::vector<Observations> rows;
  for (int i = 0; i < 2; ++i)
    for (auto& row : simulate(SpeedModel{.seeds = 3, .run_noise = 0.1}, stream)) rows.push_back(row);
  const std::vector<SpeedPair> pairs = {
      {&rows[0], &rows[3], 1}, {&rows[1], &rows[3], 1}, {&rows[2], &rows[3], 1}};
  RunsOfRows runs;
  for (std::size_t row = 0; row < 4; ++row) runs[&rows[row]] = {0, row + 1};
  const auto paired = *speed_ratio(pairs, 0, {.shared_seeds = true}),
             pooled = *speed_ratio(pairs, 0, {.shared_seeds = true}, runs);
  EXPECT_DOUBLE_EQ(pooled.ratio, paired.ratio);
  EXPECT_NEAR(paired.log_ratio.spread.seeds_freedom, 2, 1e-9);
  EXPECT_GT(pooled.log_ratio.spread.seeds_freedom, 3);
  EXPECT_LT(pooled.log_ratio.spread.seeds_freedom, 6);
}

TEST(FalsePositives, OfCellsAgainstAControlAreFivePercent) {
  for (const std::size_t seeds : {2, 3}) {
    const StudyModel model{.seeds = seeds,
                           .samples = 4,
                           .rows = 5,
                           .seed_noise = 0.05,
                           .row_share = 0.1,
                           .run_share = 0.1,
                           .shared_noise = 0.05};
    RandomStream stream("1/control/" + std::to_string(seeds));
    Tally one, family, paired;
    for (int i = 0; i < 800; ++i) {
      const auto rows = simulate(model, stream).rows;
      std::vector<double> p;
      for (std::size_t cell = 0; cell < 4; ++cell)
        p.push_back(p_value(*contrast_by_runs(rows, difference_of(5, cell, 4), one_root(5))));
      one.count(p.front() <= 0.05);
      bool any = false;
      for (const double adjusted : holm(p)) any |= adjusted <= 0.05;
      family.count(any);
      const Term terms[] = {{&rows[0], 1}, {&rows[4], -1}};
      paired.count(p_value(*contrast(terms, {.shared_seeds = true})) <= 0.05);
    }
    EXPECT_LT(one.percent(), 7.5) << seeds;
    EXPECT_LT(family.percent(), 8) << seeds;
    if (seeds == 2) {
      EXPECT_GT(paired.percent(), 7) << "by its own two seeds";
    }
  }
}

TEST(FalsePositives, OfRowsThatAreNearlyAlikeAreFivePercent) {
  // One factor of a 2 x 2 hardly acts, so that cells are alike in pairs, with what their runs add.
  const StudyModel model{
      .seeds = 3, .samples = 4, .rows = 5, .seed_noise = 0.05, .row_share = 0.1, .run_share = 0.1};
  RandomStream stream("1/near twins");
  Tally acts, hardly, control;
  for (int i = 0; i < 800; ++i) {
    auto rows = simulate(model, stream).rows;
    make_alike(rows[1], rows[0], 0.1, stream), make_alike(rows[3], rows[2], 0.1, stream);
    const auto claims = [&](const std::vector<double>& c) {
      return p_value(*contrast_by_runs(rows, c, one_root(5))) <= 0.05;
    };
    acts.count(claims({-0.5, -0.5, 0.5, 0.5, 0}));
    hardly.count(claims({-0.5, 0.5, -0.5, 0.5, 0}));
    control.count(claims({1, 0, 0, 0, -1}));
  }
  // With what runs vary by, pooled over all rows as if they were independent, it was 10.
  EXPECT_LT(acts.percent(), 7.5);
  EXPECT_LT(hardly.percent(), 7.5);
  EXPECT_LT(control.percent(), 7.5);
}

TEST(FalsePositives, OfOneSeedWhereAFactorHardlyActsAreFivePercent) {
  // Three of the four contrasts that are pooled for a main effect have that factor in them.
  const StudyModel model{.samples = 4, .rows = 8, .seed_noise = 0.05, .row_share = 0.1, .run_share = 0.1};
  std::vector<std::vector<bool>> levels;
  for (int row = 0; row < 8; ++row) levels.push_back({(row & 1) != 0, (row & 2) != 0, (row & 4) != 0});
  RandomStream stream("1/near twins of one seed");
  Tally acts, hardly;
  for (int i = 0; i < 800; ++i) {
    auto rows = simulate(model, stream).rows;
    for (std::size_t row = 0; row < 8; row += 2) make_alike(rows[row + 1], rows[row], 0.1, stream);
    for (const auto& effect : factorial_effects(levels, rows)) {
      if (effect.factors.size() != 1) continue;
      (effect.factors.front() == 0 ? hardly : acts).count(p_value(*effect.estimate) <= 0.05);
    }
  }
  EXPECT_LT(acts.percent(), 7.5);
  EXPECT_LT(hardly.percent(), 7.5);
}

TEST(Looks, ShareAlpha) {
  EXPECT_DOUBLE_EQ(alpha_of_look(0.06, 3), 0.02);
  EXPECT_DOUBLE_EQ(alpha_of_look(0.05, 1), 0.05);
  EXPECT_DOUBLE_EQ(alpha_of_look(0.05, 0), 0.05);
}

TEST(Coverage, OfSharesCarriedByFewTasks) {
  // 2 % on sixty tasks of four samples under two seeds: few tasks have a success.
  const StudyModel model{.seeds = 2, .samples = 4, .accuracy = 0.02};
  RandomStream stream("1/few");
  Tally tally;
  for (int i = 0; i < 1000; ++i)
    tally.count([&] {
      const auto interval = share_level(simulate(model, stream).rows.front())->interval;
      return interval && interval->low <= model.accuracy && model.accuracy <= interval->high;
    }());
  EXPECT_GT(tally.percent(), 93);
}
