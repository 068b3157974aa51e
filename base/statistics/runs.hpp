// The variance that training runs add to a contrast of rows, by one model for every contrast: it says which
// rows have runs in common.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/statistics/spread.hpp"

namespace trl::statistics {

/// The chain of training runs behind each row: runs[row][depth] is a run's number, equal for rows that share
/// the run. Rows of an ablation often share their first runs, before an extension changes anything. Rows
/// whose last runs have the same number are one run (twins).
using SharedRuns = std::vector<std::vector<std::size_t>>;

/// Returns, for each depth, the factor with which the variance between runs enters a contrast: Σ over the
/// runs of (Σ coefficient of the rows that share the run)². A run that all rows share doesn't enter any
/// contrast; a run that both levels of a factor share doesn't enter the factor's effect.
std::vector<double> exposure_of(std::span<const double> coefficients, const SharedRuns& runs);

/// Returns the run number of each row's own (last) run, counted from 0 in the order of the rows: equal
/// numbers are twins. If `runs` is empty, each row has its own.
std::vector<std::size_t> distinct_runs(const SharedRuns& runs, std::size_t rows);

/// Returns the coefficients of a contrast by distinct run instead of by row: the sums over twins.
std::vector<double> coefficients_of_runs(std::span<const double> coefficients,
                                         std::span<const std::size_t> run_of_row);

/// Adds to an orthonormal basis the part of `vector` that is orthogonal to all its vectors, normalised.
/// Returns false, and adds nothing, if that part is zero.
bool extend_basis(std::vector<std::vector<double>>& basis, std::vector<double> vector);

/// Returns the spread of Σ coefficient × the row's mean. The variance between runs is estimated from all
/// `rows`, also from those whose coefficient is 0, as the mean squares of a nested analysis of variance of
/// runs within the runs that they go on from, each by its differences between seeds (Searle, Casella and
/// McCulloch 1992, ch. 5; the strata of a split-plot design, Box, Hunter and Hunter 2005, ch. 9). With G runs
/// at a depth that go on from H runs, its mean square has (G − H)(S − 1) degrees of freedom; the first depth
/// has G(S − 1). The mean squares are weighted so that their expected value is the contrast's variance;
/// weights below 0, which need runs in groups of very different sizes, count as 0. Degrees of freedom of
/// several mean squares are combined by Satterthwaite's formula. `least_share` is 1 / seeds_freedom: with one
/// degree of freedom t has one as well, however small the runs' variance came out (docs/statistics.md).
///
/// The method assumes that what runs at the same depth add to a contrast is proportional to how much the
/// contrast deviates in single tasks and seeds (the interaction): a common dispersion, as of quasi-likelihood
/// (McCullagh and Nelder 1989, ch. 4). Rows of a seed draw alike, so that the runs of rows that hardly differ
/// aren't independent: their difference has a small variance, and a contrast of their mean with other rows
/// the variance of one run instead of two. Box's epsilon (1954) says how many fewer degrees of freedom there
/// are then. Where all rows differ from each other alike, all contrasts have the same variance. Rows with a
/// single seed are left out of the variance; if one of them has a coefficient, seeds_freedom is 0. If `runs`
/// is empty, no rows share a run.
Spread spread_by_runs(std::span<const Scores> rows, std::span<const double> coefficients,
                      const SharedRuns& runs);

/// Returns the degrees of freedom that `spread_by_runs` has for each seed after the first, if runs vary
/// equally at each depth and all rows have equally many seeds. They are known before any run.
double freedom_for_each_seed(std::span<const double> coefficients, const SharedRuns& runs);

}  // namespace trl::statistics
