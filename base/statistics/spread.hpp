// The variance of a mean over tasks and training seeds, both of them random: variance components by the
// method of moments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/observations.hpp"

namespace trl::statistics {

/// How much each sample counts in a row's mean.
enum class Weighting {
  by_sample,  ///< all samples alike: Σ sum / Σ count
  by_task,    ///< all tasks alike, and within a task all seeds that have samples of it
};

/// The mean of a row, and the part of its deviation from the expected mean that each task, seed and cell has
/// (Taylor linearisation).
struct Scores {
  double mean = 0;
  std::vector<double> tasks;   ///< [task], their sum is 0
  std::vector<double> seeds;   ///< [seed], deviations within tasks; their sum is 0
  std::vector<double> cells;   ///< [task × seeds + seed], the rest
  std::vector<bool> observed;  ///< [task], whether it has samples
  /// How many tasks, seeds and cells have samples. Seeds count as one if they can't be told from tasks, as
  /// when no task was solved under two of them.
  std::size_t observed_tasks = 0, observed_seeds = 0, observed_cells = 0;
};

/// Adds factor × another's scores, of the same run (or runs) as its own: seeds and cells are added by number.
void add_scores(Scores& to, const Scores& from, double factor);

/// The scores of a row; nothing if it has no samples.
std::optional<Scores> scores_of(const Observations& row, Weighting weighting);

/// The parts of the variance of a mean (or of a contrast of means), and the degrees of freedom with which
/// they were estimated. In a balanced layout of T tasks and S seeds with the mean squares of the two-way
/// analysis of variance: tasks = MS_tasks / TS, seeds = MS_seeds / TS, interaction = MS_interaction / TS. The
/// interaction, with the samples' own variance in it, is contained in both of the others.
struct Spread {
  double tasks = 0, seeds = 0, interaction = 0;
  double tasks_freedom = 0, seeds_freedom = 0;  ///< without seeds_freedom the variance of seeds is unknown
};

/// Σ coefficient × mean of each row, whose tasks are shared. If their seeds are shared, too, the seeds with
/// the same number belong together (a run from which both rows go on), otherwise all runs are independent.
/// Without seeds' degrees of freedom if a row with a coefficient other than 0 has a single seed. At least one
/// row; coefficients are as many.
Spread spread_of(std::span<const Scores> rows, std::span<const double> coefficients, bool shared_seeds);

/// A variance, and its degrees of freedom for t.
struct Variance {
  double value = 0, degrees_of_freedom = 0;
};

/// The variance of the mean: tasks + seeds − interaction, where neither part is less than the interaction.
/// Its degrees of freedom ν are the harmonic mean of the parts' own, weighted by their shares of the
/// variance: 1/ν = (1 − s)/ν_tasks + s/ν_seeds. The share s of the seeds is √((seeds − interaction) × seeds)
/// / variance. Satterthwaite's ν has the squares of the shares instead; it is larger, and too large where one
/// part has one or two degrees of freedom, since the share is then estimated badly (docs/statistics.md).
/// Without seeds' degrees of freedom the tasks' part alone is returned.
Variance combined(const Spread& spread);

/// As above with Satterthwaite's degrees of freedom (1946).
Variance combined_by_satterthwaite(const Spread& spread);

/// The variance of a row's mean between training seeds, pooled over rows.
struct SeedVariance {
  double one_run = 0;      ///< of a mean over all tasks of one run, with interaction and samples in it
  double interaction = 0;  ///< the part of it that comes from interaction and samples
  double degrees_of_freedom = 0;
};

/// Pools the rows that have several seeds, weighted by their degrees of freedom: Σ (S − 1) for all of them.
/// It supposes that their runs vary alike, in points, and that they have as many tasks and samples. Nothing
/// if no row has several seeds.
std::optional<SeedVariance> pooled_seeds(std::span<const Observations> rows,
                                         Weighting weighting = Weighting::by_sample);

/// Replaces the seeds' part by the pooled variance for rows that have so many seeds each.
void use_pooled_seeds(Spread& spread, const SeedVariance& pooled, std::span<const Scores> rows,
                      std::span<const double> coefficients);

}  // namespace trl::statistics
