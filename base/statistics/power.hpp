// Planning the size of a study: variance components of a finished study, and the power of a planned study.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/statistics/decision.hpp"
#include "base/statistics/estimate.hpp"
#include "base/statistics/observations.hpp"
#include "base/statistics/spread.hpp"

namespace trl::statistics {

/// The variance components of an answer's value, estimated by the method of moments; none is negative:
/// - `task`: between tasks;
/// - `task_row`: the interaction of task and row;
/// - `seed`: between training runs;
/// - `task_seed`: the interaction of task and run;
/// - `sample`: between samples of a cell.
struct Components {
  double task = 0;
  double task_row = 0;   ///< 0 if only one row was given: `task` then contains it
  double seed = 0;       ///< 0 if no row has several seeds: it is then unknown, see seeds_known
  double task_seed = 0;  ///< if no row has several seeds, `task_row` (or `task`) contains it
  double sample = 0;     ///< if no cell has several samples, `task_seed` contains it
  bool seeds_known = false, samples_known = false;
};

/// Estimates the components from rows of a study that share tasks. For balanced rows the estimate is exact:
/// it equals restricted maximum likelihood as long as no component is negative. Cells with different numbers
/// of samples count by their harmonic mean. A task is left out if a row lacks it or has an empty cell for it.
/// Nothing if fewer than two tasks remain.
std::optional<Components> components_of(std::span<const Observations> rows);

/// Estimates the components of a contrast whose rows are paired by task and seed: the variances of Σ
/// coefficient × answer, where task_row is the variance of the differences between tasks. In a `Question` the
/// contrast is one row with squared_coefficients = 1. Tasks that a row lacks under a seed are left out.
/// Nothing for fewer than two tasks, or if rows differ in their numbers of seeds. If the rows' answers are so
/// alike that the contrast varies less than independent samples would, `sample` is reduced to the observed
/// variance.
std::optional<Components> components_of_contrast(std::span<const Term> terms);

/// The size of a planned study: the number of tasks, of training seeds per row, and of samples per task and
/// seed.
struct StudySize {
  std::size_t tasks = 0, seeds = 0, samples = 0;
};

/// The contrast that a planned study estimates, described by its coefficients. By default it is the
/// difference of two rows.
struct Question {
  double squared_coefficients = 2;  ///< Σ coefficient² over rows: 2 for the difference of two rows, 4 / N for
                                    ///< an effect of a design of N rows
  std::size_t rows = 2;  ///< the number of rows with a coefficient; all coefficients have the same magnitude
  /// The degrees of freedom of the variance between runs for each seed after the first
  /// (`freedom_for_each_seed`); 0 if each row has its own variance.
  double runs_freedom = 0;
  /// With one seed: the number of higher-order contrasts that are pooled for the error (`factorial_effects`).
  /// With fewer than `fewest_pooled`, a study of one seed has Scope::these_runs.
  std::size_t pooled_contrasts = 0;
  bool level = false;  ///< whether the question is a row's own mean, not a contrast: its variance contains
                       ///< the tasks' variance
};

/// Returns the expected variance of the estimate and its degrees of freedom. For a study of one seed the
/// variance leaves out the seeds' part, since its scope is Scope::these_runs, unless contrasts are pooled.
Variance planned_variance(const Components& components, const StudySize& plan, const Question& question);

/// The kind of a planned t test, and its error probabilities.
struct Certainty {
  double power = 0.8;   ///< the probability that the test succeeds, in (alpha, 1)
  double alpha = 0.05;  ///< the probability of a false claim
  /// Whether the test is two one-sided tests of equivalence, not a two-sided test. It succeeds if it shows
  /// that a true difference of 0 lies within ± the effect.
  bool equivalence = false;
};

/// Returns the certainty for one hypothesis of a family. Its test is planned with alpha / family, the first
/// step of the Holm adjustment, and for `same` as a test of equivalence.
Certainty certainty_of(Expectation expectation, std::size_t family, Certainty wanted = {});

/// Returns the probability that the test succeeds if this is the true effect. `wanted.power` is ignored.
/// If only one part of the variance is estimated, the probability comes from the noncentral t distribution;
/// for equivalence, it is a mean over the distribution of the estimated variance. If both the tasks' and the
/// seeds' parts are estimated, it is a mean over the distribution of the seeds' part. It is 0 for fewer than
/// two tasks, or if all components are 0.
double power(const Components& components, const StudySize& plan, const Question& question, double effect,
             const Certainty& wanted = {});

/// Returns the smallest effect that the test detects with probability `wanted.power`; nothing if `power` is
/// 0.
std::optional<double> smallest_detectable(const Components& components, const StudySize& plan,
                                          const Question& question, Certainty wanted = {});

/// Returns the components of a contrast from the parts of its estimated variance, for a finished study of
/// this size with several seeds. `planned_variance` of the same size then returns the variance that the
/// estimate has. `sample_share` is the part of the interaction of runs and tasks that comes from samples,
/// from 0 to 1.
Components components_of(const Spread& spread, const StudySize& size, double sample_share);

/// Returns the smallest true effect that a finished study with this estimate's standard error and degrees of
/// freedom detects with probability `wanted.power`: by the parts of its variance as for a plan, or by the
/// noncentral t distribution if they aren't known. Nothing if the estimate isn't testable.
std::optional<double> smallest_detectable(const Estimate& estimate, Certainty wanted = {});

/// The largest numbers of seeds and samples that `trl check` and `trl power` consider.
inline constexpr std::size_t most_seeds = 20, most_samples = 32;

/// The prices of the parts of a study, in any unit.
struct Prices {
  double run = 1;     ///< the price of one training run of one row
  double sample = 0;  ///< the price of one sample and its verification
};
/// The prices that are assumed before anything was run: a training run costs as much as 2000 samples.
inline constexpr Prices usual_prices{2000, 1};

struct PricedPlan {
  StudySize size;
  double cost = 0;  ///< question.rows × seeds × (run + tasks × samples × sample)
  double power = 0;
};

/// Returns the cheapest plan with `limit.tasks` tasks, 2 to limit.seeds seeds and 1 to limit.samples samples
/// that detects the effect with probability `wanted.power`. Nothing if no plan does: the study then needs
/// more tasks or a larger effect.
std::optional<PricedPlan> cheapest_plan(const Components& components, const StudySize& limit,
                                        const Question& question, const Prices& prices, double effect,
                                        Certainty wanted = {});

}  // namespace trl::statistics
