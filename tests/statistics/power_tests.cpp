#include "base/statistics/power.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/statistics/estimate.hpp"
#include "tests/statistics/simulated_study.hpp"

using namespace trl::statistics;

namespace {

const Components usual{.task = 0.1,
                       .task_row = 0.02,
                       .seed = 0.0025,
                       .task_seed = 0.01,
                       .sample = 0.12,
                       .seeds_known = true,
                       .samples_known = true};

}  // namespace

TEST(ComponentsOfContrast, LeaveOutWhatRowsOfASeedShare) {
  RandomStream stream("components of a contrast");
  const StudyModel model{
      .tasks = 400, .seeds = 40, .samples = 4, .rows = 2, .seed_noise = 0.02, .shared_noise = 0.1};
  const auto rows = simulate(model, stream).rows;
  const Term terms[] = {{&rows[0], 1}, {&rows[1], -1}};
  const auto found = *components_of_contrast(terms);
  EXPECT_NEAR(found.seed, 2 * 0.02 * 0.02, 4e-4);
  EXPECT_GT(components_of(rows)->seed, 0.008) << "by rows, what they share looks like their own";
  // The planned variance at the study's own size is that of the contrast.
  const auto planned = planned_variance(found, {400, 40, 4}, {.squared_coefficients = 1, .rows = 1});
  const double measured = contrast(terms, {.shared_seeds = true})->standard_error;
  EXPECT_NEAR(std::sqrt(planned.value) / measured, 1, 0.1);
}

// Rows whose answers are drawn with the same random numbers differ in few of them.
TEST(ComponentsOfContrast, CountAnswersThatAreAlikeForWhatIsSeen) {
  RandomStream random("answers that are alike");
  const StudySize size{200, 5, 4};
  std::vector<Observations> rows(2, Observations(size.tasks, size.seeds));
  for (std::size_t t = 0; t < size.tasks; ++t)
    for (std::size_t s = 0; s < size.seeds; ++s)
      for (std::size_t k = 0; k < size.samples; ++k) {
        const bool answer = random.uniform() < 0.5, other = random.uniform() < 0.05 ? !answer : answer;
        rows[0].add(t, s, answer), rows[1].add(t, s, other);
      }
  const Term terms[] = {{&rows[0], 1}, {&rows[1], -1}};
  const auto found = *components_of_contrast(terms);
  EXPECT_LT(found.sample, 0.1) << "independent answers would vary by 0.5";
  const auto planned = planned_variance(found, size, {.squared_coefficients = 1, .rows = 1});
  const double measured = contrast(terms, {.shared_seeds = true})->standard_error;
  EXPECT_NEAR(std::sqrt(planned.value) / measured, 1, 0.15);
}

TEST(SmallestDetectable, OfAnEstimateIsFoundInEightyOfAHundred) {
  Estimate estimate{
      .value = 0, .standard_error = 2, .degrees_of_freedom = 1e6, .interval = {}, .scope = Scope::recipe};
  EXPECT_NEAR(*smallest_detectable(estimate), 2 * (1.95996 + 0.84162), 1e-3);
  estimate.degrees_of_freedom = 4;
  EXPECT_GT(*smallest_detectable(estimate), 7);
  estimate.standard_error = 0;
  EXPECT_FALSE(smallest_detectable(estimate));
}

TEST(Components, AreThoseOfManySimulatedStudies) {
  StudyModel model{.tasks = 60,
                   .seeds = 3,
                   .samples = 4,
                   .rows = 4,
                   .seed_noise = 0.07,
                   .row_share = 0.2,
                   .run_share = 0.1};
  trl::RandomStream stream("1/components");
  Components mean;
  const int studies = 200;
  for (int i = 0; i < studies; ++i) {
    const auto found = *components_of(simulate(model, stream).rows);
    mean.task += found.task / studies, mean.task_row += found.task_row / studies;
    mean.seed += found.seed / studies, mean.task_seed += found.task_seed / studies;
    mean.sample += found.sample / studies;
  }
  // All parts of a sample's variance add up to p (1 − p).
  EXPECT_NEAR(mean.task + mean.task_row + mean.seed + mean.task_seed + mean.sample, 0.24, 0.005);
  EXPECT_NEAR(mean.seed, 0.07 * 0.07, 0.0008);
  EXPECT_NEAR(mean.sample, 0.12, 0.004);
}

TEST(Components, SayWhatTheyCannotKnow) {
  Observations row(4, 1);
  for (std::size_t t = 0; t < 4; ++t) row.add(t, 0, t % 2);
  const auto found = *components_of({&row, 1});
  EXPECT_FALSE(found.seeds_known);
  EXPECT_FALSE(found.samples_known);
  EXPECT_NEAR(found.task, 1.0 / 3, 1e-12);
  EXPECT_FALSE(components_of({}));
  EXPECT_FALSE(components_of(std::vector<Observations>{Observations(4, 1)}));
}

TEST(Components, LeaveOutTasksThatARowLacks) {
  std::vector<Observations> rows(2, Observations(3, 1));
  for (std::size_t t = 0; t < 3; ++t) rows[0].add(t, 0, 0), rows[0].add(t, 0, 1);
  EXPECT_FALSE(components_of(rows));
  for (std::size_t t = 0; t < 2; ++t) rows[1].add(t, 0, 0), rows[1].add(t, 0, 1);
  EXPECT_NEAR(components_of(rows)->sample, 0.5, 1e-12);
}

TEST(PlannedVariance, AddsThePartsOfADifference) {
  const auto variance = planned_variance(usual, {60, 3, 10}, {});
  EXPECT_NEAR(variance.value, 2 * (0.02 / 60 + 0.0025 / 3 + 0.01 / 180 + 0.12 / 1800), 1e-12);
  const auto level =
      planned_variance(usual, {60, 3, 10}, {.squared_coefficients = 1, .rows = 1, .level = true});
  EXPECT_NEAR(level.value, (0.1 + 0.02) / 60 + 0.0025 / 3 + 0.01 / 180 + 0.12 / 1800, 1e-12);
  // Of one run each, nothing is known of others.
  EXPECT_NEAR(planned_variance(usual, {60, 1, 10}, {}).value, 2 * (0.02 / 60 + 0.01 / 60 + 0.12 / 600),
              1e-12);
  // A pool of interactions says what runs add.
  const auto pooled =
      planned_variance(usual, {60, 1, 10}, {.squared_coefficients = 0.5, .rows = 8, .pooled_contrasts = 4});
  EXPECT_NEAR(pooled.value, 0.5 * (0.02 / 60 + 0.0025 + 0.01 / 60 + 0.12 / 600), 1e-12);
  EXPECT_NEAR(pooled.degrees_of_freedom, 4, 1e-9);
}

TEST(Power, GrowsWithTheStudyAndTheEffect) {
  const double few = power(usual, {60, 2, 4}, {}, 0.1), more = power(usual, {60, 5, 4}, {}, 0.1);
  EXPECT_LT(few, more);
  EXPECT_LT(more, power(usual, {60, 5, 4}, {}, 0.2));
  EXPECT_LT(few, power(usual, {60, 2, 4}, {.runs_freedom = 8}, 0.1));
  EXPECT_EQ(power(usual, {1, 2, 4}, {}, 0.1), 0);
}

TEST(Power, IsReachedByTheSmallestDetectableEffect) {
  for (const std::size_t seeds : {1, 2, 5}) {
    const auto effect = *smallest_detectable(usual, {60, seeds, 4}, {});
    EXPECT_NEAR(power(usual, {60, seeds, 4}, {}, effect), 0.8, 1e-6);
  }
  EXPECT_FALSE(smallest_detectable(usual, {1, 3, 4}, {}));
}

TEST(Certainty, OfOneAmongSeveralIsPlannedAtItsShareOfAlpha) {
  const auto one = certainty_of(Expectation::greater, 1),
             three = certainty_of(Expectation::less, 3, {.power = 0.9, .alpha = 0.06});
  EXPECT_EQ(one.power, 0.8);
  EXPECT_EQ(one.alpha, 0.05);
  EXPECT_EQ(three.power, 0.9);
  EXPECT_DOUBLE_EQ(three.alpha, 0.02);
  EXPECT_EQ(certainty_of(Expectation::different, 0).alpha, 0.05);
  EXPECT_GT(*smallest_detectable(usual, {60, 3, 4}, {}, certainty_of(Expectation::greater, 3)),
            *smallest_detectable(usual, {60, 3, 4}, {}));
}

// Of normal estimates with known error the power of two one-sided tests is exact: 2 Φ(margin / σ − z) − 1.
TEST(Certainty, OfEquivalenceIsThatOfBothOneSidedTests) {
  const Estimate estimate{
      .value = 0, .standard_error = 2, .degrees_of_freedom = 1e6, .interval = {}, .scope = Scope::recipe};
  const double margin = *smallest_detectable(estimate, certainty_of(Expectation::same, 1));
  EXPECT_NEAR(margin, 2 * (1.64485 + 1.28155), 1e-3);
}

TEST(Certainty, OfEquivalenceIsReachedByEqualRows) {
  RandomStream random("equal rows");
  for (const std::size_t seeds : {3, 5}) {
    const StudyModel model{.seeds = seeds, .samples = 4, .rows = 2, .seed_noise = 0.03, .row_share = 0.1};
    auto pilot = model;
    pilot.tasks = 400, pilot.seeds = 300;
    const auto components = *components_of(simulate(pilot, random).rows);
    const double margin =
        *smallest_detectable(components, {60, seeds, 4}, {}, certainty_of(Expectation::same, 1));
    Tally shown;
    for (int i = 0; i < 400; ++i) {
      const auto rows = simulate(model, random).rows;
      const Term terms[] = {{&rows[0], 1}, {&rows[1], -1}};
      shown.count(equivalence_p_value(*contrast(terms), -margin, margin) <= 0.05);
    }
    EXPECT_NEAR(shown.percent(), 80, 8) << seeds;
  }
}

TEST(CheapestPlan, BuysRunsWhereSamplesDoNotHelp) {
  // Runs vary by 5 points: no number of samples finds 12 points with two of them.
  const auto plan = cheapest_plan(usual, {60, 20, 20}, {}, {.run = 100, .sample = 0.01}, 0.12);
  ASSERT_TRUE(plan);
  EXPECT_GT(plan->size.seeds, 2);
  EXPECT_GE(plan->power, 0.8);
  EXPECT_NEAR(plan->cost, 2.0 * plan->size.seeds * (100 + 60.0 * plan->size.samples * 0.01), 1e-9);
  EXPECT_LT(power(usual, {60, plan->size.seeds - 1, 20}, {}, 0.12), 0.8);
  EXPECT_FALSE(cheapest_plan(usual, {60, 20, 20}, {}, {}, 0.001));
}

TEST(CheapestPlan, IsTheCheapestOfAllPlans) {
  for (const double effect : {0.05, 0.08, 0.12, 0.2})
    for (const std::size_t tasks : {8, 60, 200})
      for (const double freedom : {0.0, 3.0})
        for (const bool same : {false, true})
          for (const Prices& prices : {usual_prices, Prices{100, 0.01}, Prices{0, 1}}) {
            const Question question{.runs_freedom = freedom};
            const Certainty wanted{.equivalence = same};
            std::optional<PricedPlan> best;
            for (std::size_t seeds = 2; seeds <= 8; ++seeds)
              for (std::size_t samples = 1; samples <= 12; ++samples) {
                const double cost = 2.0 * static_cast<double>(seeds) *
                                    (prices.run + static_cast<double>(tasks * samples) * prices.sample);
                if (best && cost >= best->cost) continue;
                const double found = power(usual, {tasks, seeds, samples}, question, effect, wanted);
                if (found >= wanted.power) best = PricedPlan{{tasks, seeds, samples}, cost, found};
              }
            const auto plan = cheapest_plan(usual, {tasks, 8, 12}, question, prices, effect, wanted);
            ASSERT_EQ(plan.has_value(), best.has_value()) << effect << " " << tasks;
            if (!plan) continue;
            EXPECT_EQ(plan->size.seeds, best->size.seeds) << effect << " " << tasks;
            EXPECT_EQ(plan->size.samples, best->size.samples) << effect << " " << tasks;
          }
}
