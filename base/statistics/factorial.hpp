// Effects of designs with two levels a factor: main effects, interactions, and their error if there is one
// run a row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/estimate.hpp"

namespace trl::statistics {

/// A set of factors, by number, ascending.
using Factors = std::vector<std::size_t>;

/// One effect: a main effect for one factor, an interaction for several.
struct Effect {
  Factors factors;
  /// In fractions of a design: other sets of at least as many factors whose effect is the same contrast, up
  /// to sign. Sets of more factors than it takes to name all effects are left out.
  std::vector<Factors> aliases;
  std::vector<double> coefficients;  ///< [row], ±2 / rows
  std::optional<Estimate> estimate;  ///< nothing if a row has no samples
  /// How many contrasts were pooled for its error; 0 if its error comes from the rows' own runs, or from
  /// tasks alone.
  std::size_t pooled = 0;
};

/// The least number of contrasts of higher order that are pooled for an error: t with fewer degrees of
/// freedom finds next to nothing.
inline constexpr std::size_t fewest_pooled = 3;

/// All effects of a design without their estimates, effects of fewer factors first. levels[row][factor] says
/// whether the row has the factor's second level. A main effect is the mean of the rows at the second level
/// minus the mean of the others, and an interaction of two factors is half the difference of one factor's
/// effects at the two levels of the other. Throws std::invalid_argument unless all contrasts are orthogonal
/// to each other: the design is complete, or a regular fraction, with every row once.
std::vector<Effect> effects_of_design(const std::vector<std::vector<bool>>& levels);

/// The training runs that led to each row: runs[row][depth] is a number, the same for rows that share the
/// run. Rows of an ablation often share the first runs, which an extension doesn't change yet.
using SharedRuns = std::vector<std::vector<std::size_t>>;

/// How much of the variation between runs is in a contrast, for each depth: Σ over the runs of (Σ coefficient
/// of the rows that share it)². A run that all rows share has no part in a contrast, and one that both levels
/// of a factor share has none in the factor's effect.
std::vector<double> exposure_of(std::span<const double> coefficients, const SharedRuns& runs);

/// The numbers of the contrasts that stand for an effect's error, itself among them: of `effects_of_design`
/// the contrasts that are exposed to runs as much at each depth. With `higher_order` only contrasts of more
/// factors.
std::vector<std::size_t> contrasts_for_error(const std::vector<Effect>& effects, std::size_t effect,
                                             const SharedRuns& runs, bool higher_order);

/// All effects with their estimates. The variance that runs add to an effect is estimated from
/// - with one seed: the contrasts of more factors, whose mean square stands for it, with their number as
/// degrees
///   of freedom (Box, Hunter and Hunter 2005, ch. 5), if there are at least `fewest_pooled` of them. It
///   supposes that interactions of that order are small; any that isn't makes the intervals wider. With
///   fewer, the estimates are about these runs.
/// - with several seeds and options.shared_seeds: how each contrast differs between seeds, as of blocks,
/// pooled
///   over the contrasts.
/// - with several seeds otherwise (or options.seeds): the differences of rows between seeds, as in
/// `contrast`. If rows share runs, a contrast stands for another's error only if it is exposed to runs at
/// least as much at each depth, as the whole plots and the subplots of a split-plot design have errors of
/// their own (Box, Hunter and Hunter 2005, ch. 9). Without `runs`, no row shares one.
std::vector<Effect> factorial_effects(const std::vector<std::vector<bool>>& levels,
                                      std::span<const Observations> rows, const EstimateOptions& options = {},
                                      const SharedRuns& runs = {});

/// The variance between runs of a design whose rows have one run each and share none, from the contrasts of
/// two and more factors, if there are at least `fewest_pooled`: with it in options.seeds, `share_level` of a
/// row is about the recipe. It supposes that these interactions are 0.
std::optional<SeedVariance> seeds_of_design(const std::vector<std::vector<bool>>& levels,
                                            std::span<const Observations> rows,
                                            Weighting weighting = Weighting::by_sample);

/// A point of a half-normal plot (Daniel 1959).
struct HalfNormalPoint {
  std::size_t effect = 0;  ///< its number among the values given
  double magnitude = 0;    ///< |value|
  double quantile = 0;     ///< of the half-normal distribution, at (i − 1/2) / n
};
/// The points in the order of their magnitudes: effects that are noise lie on a line through 0.
std::vector<HalfNormalPoint> half_normal_plot(std::span<const double> effects);

/// Lenth's (1989) judgement of effects without an error of their own.
struct LenthMargins {
  double pseudo_standard_error = 0;
  double degrees_of_freedom = 0;   ///< effects / 3
  double margin = 0;               ///< of error of a single effect
  double simultaneous_margin = 0;  ///< of all effects together
};
/// Lenth's margins of a set of effects; nothing for fewer than three.
std::optional<LenthMargins> lenth(std::span<const double> effects, double confidence = 0.95);

}  // namespace trl::statistics
