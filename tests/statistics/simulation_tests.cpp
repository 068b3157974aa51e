// A small form of tests/benchmarks/statistics: what intervals cover, on studies whose truth is known. Draws
// are fixed, so that the figures are, too; bounds are wider than the benchmark's by three standard errors of
// so few repetitions.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/statistics/decision.hpp"
#include "base/statistics/estimate.hpp"
#include "base/statistics/factorial.hpp"
#include "base/statistics/speed.hpp"
#include "tests/statistics/simulated_study.hpp"

using namespace trl;
using namespace trl::statistics;

namespace {

bool covers(const std::optional<Interval>& interval, double truth) {
  return interval && interval->low <= truth && truth <= interval->high;
}

RandomStream stream_of(const StudyModel& model, const char* name) {
  return RandomStream(fmt::format("1/{}/{}/{}/{}", name, model.seeds, model.samples, model.seed_noise));
}

}  // namespace

TEST(Coverage, OfLevelsIsNearNinetyFivePercent) {
  for (const std::size_t seeds : {2, 3, 5})
    for (const double noise : {0.0, 0.05, 0.09}) {
      const StudyModel model{.seeds = seeds, .samples = 4, .seed_noise = noise};
      auto stream = stream_of(model, "levels");
      Tally tally;
      for (int i = 0; i < 1500; ++i)
        tally.count(covers(share_level(simulate(model, stream).rows.front())->interval, model.accuracy));
      EXPECT_GT(tally.percent(), seeds == 2 ? 88.3 : 91.3) << seeds << " seeds, noise " << noise;
      EXPECT_LT(tally.percent(), 98.3) << seeds << " seeds, noise " << noise;
    }
}

TEST(Coverage, OfOneRunIsOfThatRunAndNotOfTheRecipe) {
  const StudyModel model{.samples = 4, .seed_noise = 0.09};
  auto stream = stream_of(model, "run");
  Tally run, recipe;
  for (int i = 0; i < 1500; ++i) {
    const auto study = simulate(model, stream);
    const auto level = share_level(study.rows.front());
    run.count(covers(level->interval, study.accuracies[0][0])),
        recipe.count(covers(level->interval, model.accuracy));
  }
  EXPECT_GT(run.percent(), 93);
  EXPECT_LT(recipe.percent(), 80);
}

TEST(Coverage, OfDifferencesWithPooledSeeds) {
  for (const double noise : {0.0, 0.05, 0.09}) {
    const StudyModel model{
        .seeds = 2, .samples = 4, .rows = 8, .seed_noise = noise, .row_share = 0.1, .run_share = 0.1};
    auto stream = stream_of(model, "differences");
    Tally tally;
    for (int i = 0; i < 800; ++i) {
      const auto study = simulate(model, stream);
      const Term terms[] = {{&study.rows[0], 1}, {&study.rows[1], -1}};
      tally.count(covers(contrast(terms, {.seeds = pooled_seeds(study.rows)})->interval, 0));
    }
    EXPECT_GT(tally.percent(), 91.5) << noise;
    EXPECT_LT(tally.percent(), 99) << noise;
  }
}

TEST(FalsePositives, OfANullDesignWithOneSeedAreFivePercent) {
  for (const std::size_t samples : {1, 4}) {
    const StudyModel model{.samples = samples, .rows = 8, .seed_noise = 0.05};
    std::vector<std::vector<bool>> levels;
    for (int row = 0; row < 8; ++row) levels.push_back({(row & 1) != 0, (row & 2) != 0, (row & 4) != 0});
    auto stream = stream_of(model, "null");
    Tally effect, family, of_these_runs;
    for (int i = 0; i < 800; ++i) {
      const auto study = simulate(model, stream);
      std::vector<Hypothesis> hypotheses;
      for (const auto& found : factorial_effects(levels, study.rows)) {
        if (found.factors.size() != 1) continue;
        effect.count(!covers(found.estimate->interval, 0));
        hypotheses.push_back({.difference = *found.estimate, .smallest_effect = {}});
        std::vector<Term> terms;
        for (std::size_t row = 0; row < 8; ++row)
          terms.push_back({&study.rows[row], found.coefficients[row]});
        of_these_runs.count(!covers(contrast(terms)->interval, 0));
      }
      bool any = false;
      for (const auto& decision : decide(hypotheses)) any |= decision.verdict == Verdict::supported;
      family.count(any);
    }
    EXPECT_LT(effect.percent(), 6.5);
    EXPECT_GT(effect.percent(), 3);
    EXPECT_LT(family.percent(), 7.5);
    // What the same data say of these very runs is no answer for the recipe.
    EXPECT_GT(of_these_runs.percent(), 15);
  }
}

TEST(FalsePositives, OfADesignWhoseRowsShareRunsAreFivePercent) {
  // Rows that differ in the third factor share their first run, and all rows of a seed have something in
  // common.
  std::vector<std::vector<bool>> levels;
  SharedRuns runs, blind_runs;
  for (std::size_t row = 0; row < 8; ++row) {
    levels.push_back({(row & 1) != 0, (row & 2) != 0, (row & 4) != 0});
    runs.push_back({0, 1 + (row & 3), 10 + row}), blind_runs.push_back({0, 10 + row});
  }
  for (const std::size_t seeds : {1, 3}) {
    const StudyModel model{.seeds = seeds,
                           .samples = 4,
                           .rows = 8,
                           .seed_noise = 0.02,
                           .shared_noise = 0.05,
                           .first_run_noise = 0.05,
                           .first_runs = {0, 1, 2, 3, 0, 1, 2, 3}};
    auto stream = stream_of(model, "shared runs");
    Tally whole, part, blind;
    for (int i = 0; i < 800; ++i) {
      const auto rows = simulate(model, stream).rows;
      const auto effects = factorial_effects(levels, rows, {}, runs);
      part.count(!covers(effects[2].estimate->interval, 0));
      if (seeds == 1)
        EXPECT_EQ(effects[0].estimate->scope, Scope::these_runs);
      else
        whole.count(!covers(effects[0].estimate->interval, 0));
      blind.count(!covers(factorial_effects(levels, rows, {}, blind_runs)[0].estimate->interval, 0));
    }
    EXPECT_LT(part.percent(), 7);
    EXPECT_LT(whole.percent(), 7);
    if (seeds > 1) {
      EXPECT_GT(whole.percent(), 3);
    }
    // Without knowing which rows share their runs, the interactions are too small an error.
    EXPECT_GT(blind.percent(), 9) << seeds;
  }
}

TEST(FalsePositives, OfEqualSpeedsDoNotComeFromWhoSolvesMore) {
  for (const std::size_t seeds : {1, 2}) {
    const SpeedModel model{.seeds = seeds, .run_noise = seeds > 1 ? 0.1 : 0};
    RandomStream stream(fmt::format("1/speed/{}", seeds));
    Tally common, all;
    for (int i = 0; i < 800; ++i) {
      const auto rows = simulate(model, stream);
      common.count(!covers(speed_ratio(rows[0], rows[1])->interval, 1));
      const Term terms[] = {{&rows[0], 1}, {&rows[1], -1}};
      all.count(!covers(contrast(terms)->interval, 0));
    }
    EXPECT_LT(common.percent(), 7.5) << seeds;
    EXPECT_GT(all.percent(), seeds == 1 ? 70 : 6);
  }
}
