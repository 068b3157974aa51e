// The variance of a mean over random tasks and random training seeds, as variance components estimated by the
// method of moments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/observations.hpp"

namespace trl::statistics {

/// The weight of each sample in a row's mean.
enum class Weighting {
  by_sample,  ///< all samples have the same weight: Σ sum / Σ count
  by_task,    ///< all tasks have the same weight; within a task, all seeds with samples of the task do
};

/// The mean of a row, and the contribution of each task, seed and cell to the mean's deviation from its
/// expected value (Taylor linearisation).
struct Scores {
  double mean = 0;
  std::vector<double> tasks;   ///< [task]; the sum is 0
  std::vector<double> seeds;   ///< [seed], from deviations within tasks; the sum is 0
  std::vector<double> cells;   ///< [task × seeds + seed], the remaining deviation of each cell
  std::vector<bool> observed;  ///< [task]: whether the task has samples
  /// The numbers of tasks, seeds and cells that have samples. observed_seeds is 1 if the effects of seeds
  /// can't be separated from the effects of tasks, for instance if no task has samples under two seeds.
  std::size_t observed_tasks = 0, observed_seeds = 0, observed_cells = 0;
};

/// Adds factor × the scores `from` of a row that shares the runs of `to`: seeds and cells with the same index
/// are added.
void add_scores(Scores& to, const Scores& from, double factor);

/// Returns the scores of a row; nothing if it has no samples.
std::optional<Scores> scores_of(const Observations& row, Weighting weighting);

/// The parts of the variance of a mean (or of a contrast of means), and the degrees of freedom of their
/// estimates. In a balanced layout of T tasks and S seeds, with the mean squares (MS) of the two-way analysis
/// of variance: tasks = MS_tasks / TS, seeds = MS_seeds / TS, interaction = MS_interaction / TS. `tasks` and
/// `seeds` both contain the interaction, which contains the variance of the samples.
struct Spread {
  double tasks = 0, seeds = 0, interaction = 0;
  double tasks_freedom = 0, seeds_freedom = 0;  ///< if seeds_freedom is 0, the variance of seeds is unknown
  /// The smallest share that the seeds' part has in `combined`, whichever variance was found for it.
  double least_share = 0;
};

/// Returns the spread of Σ coefficient × the row's mean, for at least one row and as many coefficients. The
/// rows share tasks. With `shared_seeds`, seeds with the same index are paired (for instance a run from which
/// both rows continue); otherwise all runs are independent. seeds_freedom is 0 if a row with a coefficient
/// other than 0 has a single seed.
Spread spread_of(std::span<const Scores> rows, std::span<const double> coefficients, bool shared_seeds);

/// A variance, and its degrees of freedom for a t interval.
struct Variance {
  double value = 0, degrees_of_freedom = 0;
};

/// Returns the variance of the mean: tasks + seeds − interaction, where `tasks` and `seeds` are raised to at
/// least the interaction. Its degrees of freedom ν are the harmonic mean of the degrees of freedom of both
/// parts, weighted by their shares of the variance: 1/ν = (1 − s)/ν_tasks + s/ν_seeds. The share of the seeds
/// is s = √((seeds − interaction) × seeds) / variance. The Satterthwaite formula uses the squares of the
/// shares instead. Its ν is larger, and too large if one part has one or two degrees of freedom, since the
/// share is then estimated badly (docs/statistics.md). s is at least `least_share`. If seeds_freedom is 0,
/// returns the tasks' part alone.
Variance combined(const Spread& spread);

/// Like `combined`, but with degrees of freedom by the Satterthwaite formula (1946).
Variance combined_by_satterthwaite(const Spread& spread);

/// The variance of a row's mean between training seeds, pooled over several rows.
struct SeedVariance {
  double one_run = 0;      ///< variance of one run's mean over all tasks, including interaction and samples
  double interaction = 0;  ///< the part of `one_run` that comes from interaction and samples
  double degrees_of_freedom = 0;
};

/// Pools the variance between seeds over the rows that have several seeds, weighted by their degrees of
/// freedom; the sum of these, Σ (S − 1), is the result's degrees of freedom. The method assumes that the
/// means of all rows vary equally between seeds, and that the rows have as many tasks and samples as each
/// other. Nothing if no row has several seeds.
std::optional<SeedVariance> pooled_seeds(std::span<const Observations> rows,
                                         Weighting weighting = Weighting::by_sample);

/// Replaces the seeds' part of `spread` by the pooled variance, for the contrast of `rows` with
/// `coefficients`; each row's part is divided by its number of seeds.
void use_pooled_seeds(Spread& spread, const SeedVariance& pooled, std::span<const Scores> rows,
                      std::span<const double> coefficients);

}  // namespace trl::statistics
