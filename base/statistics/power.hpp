// How large a study must be: the variance components of a finished study, and the power of a planned one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/statistics/decision.hpp"
#include "base/statistics/estimate.hpp"
#include "base/statistics/observations.hpp"
#include "base/statistics/spread.hpp"

namespace trl::statistics {

/// Variances of the parts of an answer: its task, its row's own effect on the task, its run, its run's own
/// effect on the task, and the sample itself. Estimates by the method of moments; none is negative.
struct Components {
  double task = 0;
  double task_row = 0;   ///< 0 if only one row was given: it is then in `task`
  double seed = 0;       ///< 0 if no row has several seeds: unknown, see seeds_known
  double task_seed = 0;  ///< if no row has several seeds, it is in `task_row` (or `task`)
  double sample = 0;     ///< if no cell has several samples, it is in `task_seed`
  bool seeds_known = false, samples_known = false;
};

/// Estimates the components from the rows of a study that share tasks. It is exact for balanced rows, where
/// it equals restricted maximum likelihood as long as no component is negative; cells with different numbers
/// of samples count by their harmonic mean. Tasks or cells that a row lacks aren't used. Nothing for fewer
/// than two tasks that all rows have.
std::optional<Components> components_of(std::span<const Observations> rows);

/// Estimates them from a contrast whose rows are paired by task and by seed: the variances of Σ coefficient ×
/// answer, with task_row for the differences between tasks. In a `Question` it is one row with
/// squared_coefficients = 1. Tasks that a row lacks under a seed aren't used. Nothing for fewer than two
/// tasks, or if rows differ in their numbers of seeds. Where the contrast varies less than its samples would
/// by themselves, since answers of its rows are alike, `sample` is their observed variance.
std::optional<Components> components_of_contrast(std::span<const Term> terms);

/// A planned study: numbers of tasks, of training seeds for each row, and of samples for each task and seed.
struct StudySize {
  std::size_t tasks = 0, seeds = 0, samples = 0;
};

/// The contrast that a planned study estimates, as numbers of its coefficients. By default it is the
/// difference of two rows.
struct Question {
  double squared_coefficients = 2;  ///< Σ coefficient² over rows: 2 for the difference of two rows, 4 / N for
                                    ///< an effect of a design of N rows
  std::size_t rows = 2;  ///< how many rows have a coefficient, all of the same size
  /// Over how many rows the variance between runs is pooled (`pooled_seeds`); 0 if each row has its own.
  std::size_t pooled_rows = 0;
  /// With one seed: how many contrasts of higher order are pooled for the error (`factorial_effects`). With
  /// fewer than `fewest_pooled` a study of one seed is about its runs alone.
  std::size_t pooled_contrasts = 0;
  bool level = false;  ///< a row's own mean instead of a contrast, which has the tasks' variance in it
};

/// The expected variance and its degrees of freedom. A study of one seed has the variance of these runs
/// alone, without the seeds'.
Variance planned_variance(const Components& components, const StudySize& plan, const Question& question);

/// The question of a planned t test, and its error probabilities.
struct Certainty {
  double power = 0.8;   ///< the probability of success, in (alpha, 1)
  double alpha = 0.05;  ///< the probability of a false claim
  /// Two one-sided tests instead of a two-sided one: success is to show that a true difference of 0 lies
  /// within ± the effect.
  bool equivalence = false;
};

/// The certainty of one hypothesis in a family: its test is planned at alpha / family, the first step of
/// Holm's adjustment, and for `same` as a test of equivalence.
Certainty certainty_of(Expectation expectation, std::size_t family, Certainty wanted = {});

/// The probability that the test succeeds for this effect; `wanted.power` isn't looked at. If one part of the
/// variance is judged by, by the noncentral t distribution (for equivalence by its mean over how the variance
/// may come out); if two are, the mean over how the seeds' part may come out. 0 for fewer than two tasks, or
/// if all components are 0.
double power(const Components& components, const StudySize& plan, const Question& question, double effect,
             const Certainty& wanted = {});

/// The smallest effect that is found so surely; nothing where `power` is 0.
std::optional<double> smallest_detectable(const Components& components, const StudySize& plan,
                                          const Question& question, Certainty wanted = {});

/// The smallest true effect that a finished study of this standard error and these degrees of freedom finds
/// so surely, by the noncentral t distribution; nothing if the estimate isn't testable.
std::optional<double> smallest_detectable(const Estimate& estimate, Certainty wanted = {});

/// The largest study that `trl check` and `trl power` look for.
inline constexpr std::size_t most_seeds = 20, most_samples = 32;

/// The price of a study, in any unit.
struct Prices {
  double run = 1;     ///< one training run of one row
  double sample = 0;  ///< one sample with its judgement
};
/// Where nothing has been run, a training run is taken to cost as much as this many samples.
inline constexpr Prices usual_prices{2000, 1};

struct PricedPlan {
  StudySize size;
  double cost = 0;  ///< question.rows × seeds × (run + tasks × samples × sample)
  double power = 0;
};

/// The cheapest plan over these tasks that finds the effect so surely, with 2 to
/// limit.seeds seeds and 1 to limit.samples samples. Nothing if none does: more tasks are then needed, or a
/// larger effect.
std::optional<PricedPlan> cheapest_plan(const Components& components, const StudySize& limit,
                                        const Question& question, const Prices& prices, double effect,
                                        Certainty wanted = {});

}  // namespace trl::statistics
