// Main effects and interactions in designs whose factors have two levels, and the error of these effects if
// each row has a single run.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/estimate.hpp"
#include "base/statistics/runs.hpp"

namespace trl::statistics {

/// A set of factors: their indices, ascending.
using Factors = std::vector<std::size_t>;

/// One effect: a main effect for one factor, an interaction for several.
struct Effect {
  Factors factors;
  /// In a fractional design: other sets of at least as many factors whose effect is the same contrast, up to
  /// sign. Sets with more factors than are needed to name all effects are left out.
  std::vector<Factors> aliases;
  std::vector<double> coefficients;  ///< [row], each 2 / number of rows or its negative
  std::optional<Estimate> estimate;  ///< nothing if a row has no samples
  /// The number of contrasts that were pooled for the effect's error with one seed; 0 if the error comes from
  /// repeated runs of the rows, or from tasks alone.
  std::size_t pooled = 0;
};

/// The smallest number of higher-order contrasts that are pooled for an error: with fewer degrees of freedom
/// a t test detects almost nothing.
inline constexpr std::size_t fewest_pooled = 3;

/// Returns all effects of a design, without estimates, sorted by the number of factors. levels[row][factor]
/// says whether the row has the factor's second level. A main effect is the mean of the rows at the second
/// level minus the mean of the rows at the first. An interaction of two factors is half the difference
/// between one factor's effects at the two levels of the other factor. Throws std::invalid_argument unless
/// all contrasts are orthogonal to each other: the design must be complete, or a regular fraction, and have
/// every row once.
std::vector<Effect> effects_of_design(const std::vector<std::vector<bool>>& levels);

/// Returns the contrasts from which the error of an effect is estimated if there is one seed, as indices into
/// `effects`: contrasts of more factors that are exposed to runs (`exposure_of`) at least as much as the
/// effect at each depth. A contrast is left out if it compares the same runs as the effect and the contrasts
/// before it do: where a factor never acted at one level of another, its main effect and their interaction
/// are one.
std::vector<std::size_t> contrasts_for_error(const std::vector<Effect>& effects, std::size_t effect,
                                             const SharedRuns& runs);

/// Returns all effects with their estimates. The variance that training runs add to an effect is estimated as
/// follows:
/// - With one seed: from the contrasts of more factors, if there are at least `fewest_pooled`. It is their
///   mean square, and their number is its degrees of freedom (Box, Hunter and Hunter 2005, ch. 5). This
///   assumes that interactions of so many factors are small; a large interaction makes the intervals wider.
///   With fewer contrasts, the estimates have Scope::these_runs.
/// - With several seeds: from the differences of all rows between seeds, as `spread_by_runs` does.
/// If rows share runs, an effect's error with one seed is estimated only from contrasts that are exposed to
/// runs at least as much at each depth (`exposure_of`), as whole plots and subplots of a split-plot design
/// have separate errors (Box, Hunter and Hunter 2005, ch. 9). If `runs` is empty, no rows share a run. With
/// options.seeds, that variance between runs is used instead.
std::vector<Effect> factorial_effects(const std::vector<std::vector<bool>>& levels,
                                      std::span<const Observations> rows, const EstimateOptions& options = {},
                                      const SharedRuns& runs = {});

/// Estimates the variance between runs from the contrasts of two and more factors, for a design whose rows
/// have one run each and share none. Nothing if there are fewer than `fewest_pooled` such contrasts. With the
/// result as options.seeds, `share_level` of a row has Scope::recipe. The method assumes that these
/// interactions are 0.
std::optional<SeedVariance> seeds_of_design(const std::vector<std::vector<bool>>& levels,
                                            std::span<const Observations> rows,
                                            Weighting weighting = Weighting::by_sample);

/// A point of a half-normal plot (Daniel 1959).
struct HalfNormalPoint {
  std::size_t effect = 0;  ///< index in the list of effects
  double magnitude = 0;    ///< |value|
  /// The quantile of the half-normal distribution at (i − 1/2) / n, for the i-th smallest of n.
  double quantile = 0;
};
/// Returns the points, sorted by magnitude. Effects that are only noise lie on a line through 0.
std::vector<HalfNormalPoint> half_normal_plot(std::span<const double> effects);

/// The margins of the Lenth method (1989), which judges effects without a separate estimate of their error.
struct LenthMargins {
  double pseudo_standard_error = 0;
  double degrees_of_freedom = 0;   ///< number of effects / 3
  double margin = 0;               ///< margin of error for a single effect
  double simultaneous_margin = 0;  ///< margin of error that holds for all effects together
};
/// Returns the margins of the Lenth method for a set of effects; nothing for fewer than three.
std::optional<LenthMargins> lenth(std::span<const double> effects, double confidence = 0.95);

}  // namespace trl::statistics
