#include "base/statistics/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace trl::statistics;

namespace {

/// One sample a cell; rows of the table are tasks, its columns seeds. NaN is a cell without samples.
Observations table(const std::vector<std::vector<double>>& values) {
  Observations row(values.size(), values.front().size());
  for (std::size_t t = 0; t < values.size(); ++t)
    for (std::size_t s = 0; s < values[t].size(); ++s)
      if (!std::isnan(values[t][s])) row.add(t, s, values[t][s]);
  return row;
}

Spread spread_of_one(const Observations& row, Weighting weighting = Weighting::by_sample) {
  const auto scores = *scores_of(row, weighting);
  const double one = 1;
  return spread_of({&scores, 1}, {&one, 1}, false);
}

const double nothing = std::nan("");

}  // namespace

TEST(Spread, OfABalancedLayoutHasTheMeanSquaresOfTheTwoWayAnalysis) {
  // Means of tasks 2, 4, 9, of seeds 4, 6; MS tasks 26, seeds 6, interaction 2.
  const auto spread = spread_of_one(table({{1, 3}, {4, 4}, {7, 11}}));
  EXPECT_NEAR(spread.tasks, 26.0 / 6, 1e-12);
  EXPECT_NEAR(spread.seeds, 6.0 / 6, 1e-12);
  EXPECT_NEAR(spread.interaction, 2.0 / 6, 1e-12);
  EXPECT_EQ(spread.tasks_freedom, 2);
  EXPECT_EQ(spread.seeds_freedom, 1);
}

TEST(Spread, CountsSamplesOrTasksAlike) {
  Observations row(2, 1);
  row.add_successes(0, 0, 9, 9);
  row.add_successes(1, 0, 0, 1);
  EXPECT_NEAR(scores_of(row, Weighting::by_sample)->mean, 0.9, 1e-12);
  EXPECT_NEAR(scores_of(row, Weighting::by_task)->mean, 0.5, 1e-12);
  EXPECT_FALSE(scores_of(Observations(3, 2), Weighting::by_sample));
}

TEST(Spread, OfRaggedCellsTellsSeedsFromTasks) {
  // Value = task + seed exactly, where the hard task was only solved by the second run: what looks like a
  // better run is a task.
  const auto scores = *scores_of(table({{1, 2}, {5, 6}, {nothing, 12}}), Weighting::by_task);
  EXPECT_NEAR(scores.seeds[0], -scores.seeds[1], 1e-12);
  // Weights of the seeds are 1/3 and 2/3, and their effects differ by 1.
  EXPECT_NEAR(scores.seeds[1] / (2.0 / 3) - scores.seeds[0] / (1.0 / 3), 1, 1e-12);
  for (const double cell : scores.cells) EXPECT_NEAR(cell, 0, 1e-12);
}

TEST(Spread, IsUnknownBetweenSeedsThatShareNoTask) {
  const auto spread = spread_of_one(table({{1, nothing}, {2, nothing}, {nothing, 4}}));
  EXPECT_EQ(spread.seeds_freedom, 0);
  EXPECT_GT(spread.tasks, 0);
}

TEST(Spread, OfAContrastPairsTasksAndAddsRuns) {
  const Scores rows[] = {*scores_of(table({{1, 3}, {4, 4}, {7, 11}}), Weighting::by_sample),
                         *scores_of(table({{0, 2}, {3, 3}, {6, 10}}), Weighting::by_sample)};
  const double difference[] = {1, -1};
  const auto own = spread_of(rows, difference, false);
  EXPECT_NEAR(own.tasks, 0, 1e-12);  // All tasks differ by 1.
  EXPECT_NEAR(own.seeds, 2 * 6.0 / 6, 1e-12);
  EXPECT_NEAR(own.interaction, 2 * 2.0 / 6, 1e-12);
  EXPECT_NEAR(own.seeds_freedom, 2, 1e-12);
  const auto shared = spread_of(rows, difference, true);
  EXPECT_NEAR(shared.seeds, 0, 1e-12);
  EXPECT_EQ(shared.seeds_freedom, 1);
}

TEST(Spread, OfRowsWithDifferentTasksCountsThemAll) {
  const Scores rows[] = {*scores_of(table({{1}, {3}, {nothing}}), Weighting::by_sample),
                         *scores_of(table({{nothing}, {3}, {5}}), Weighting::by_sample)};
  const double difference[] = {1, -1};
  EXPECT_EQ(spread_of(rows, difference, false).tasks_freedom, 2);
}

TEST(Combined, NeverLetsAPartBeLessThanTheInteraction) {
  const Spread small_seeds{
      .tasks = 4, .seeds = 0.1, .interaction = 1, .tasks_freedom = 20, .seeds_freedom = 1};
  EXPECT_NEAR(combined(small_seeds).value, 4, 1e-12);
  EXPECT_NEAR(combined(small_seeds).degrees_of_freedom, 20, 1e-9);
  const Spread small_tasks{
      .tasks = 0.1, .seeds = 4, .interaction = 1, .tasks_freedom = 20, .seeds_freedom = 1};
  EXPECT_NEAR(combined(small_tasks).value, 4, 1e-12);
}

TEST(Combined, HasFewerDegreesOfFreedomThanSatterthwaites) {
  const Spread even{.tasks = 1, .seeds = 1, .interaction = 0, .tasks_freedom = 59, .seeds_freedom = 1};
  EXPECT_NEAR(combined(even).degrees_of_freedom, 1 / (0.5 / 59 + 0.5), 1e-9);
  EXPECT_NEAR(combined_by_satterthwaite(even).degrees_of_freedom, 4 / (1.0 / 59 + 1), 1e-9);
  // If one part is all there is, they agree.
  const Spread alone{.tasks = 0, .seeds = 1, .interaction = 0, .tasks_freedom = 59, .seeds_freedom = 3};
  EXPECT_NEAR(combined(alone).degrees_of_freedom, 3, 1e-9);
  EXPECT_NEAR(combined_by_satterthwaite(alone).degrees_of_freedom, 3, 1e-9);
}

TEST(PooledSeeds, AreTheMeanOfTheRowsWeightedByFreedom) {
  const Observations rows[] = {table({{1, 3}, {4, 4}, {7, 11}}), table({{1, 1}, {2, 2}, {3, 3}}),
                               table({{5}, {6}, {7}})};
  const auto pooled = *pooled_seeds(rows);
  EXPECT_EQ(pooled.degrees_of_freedom, 2);
  EXPECT_NEAR(pooled.one_run, (2.0 + 0) / 2, 1e-12);
  EXPECT_NEAR(pooled.interaction, (2 * 2.0 / 6) / 2, 1e-12);
  EXPECT_FALSE(pooled_seeds({rows + 2, 1}));
}
