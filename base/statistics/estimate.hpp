// Levels of rows and contrasts between rows, with intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/interval.hpp"
#include "base/statistics/observations.hpp"
#include "base/statistics/spread.hpp"

namespace trl::statistics {

/// The population for which an interval holds.
enum class Scope {
  recipe,     ///< the expected value over new training seeds and new tasks of the same kind
  these_runs  ///< the value of these very training runs over new tasks of the same kind; other seeds may give
              ///< other values
};

/// An estimate whose error is t distributed with this standard error and these degrees of freedom.
struct Estimate {
  double value = 0;
  double standard_error = 0;
  double degrees_of_freedom = 0;  ///< 0 if the error is unknown, as it is if there are fewer than two tasks
  std::optional<Interval> interval;
  Scope scope = Scope::recipe;

  /// Whether there is an error to judge by: differences that are all alike have a standard error of 0 (or
  /// 1e-9, from rounding), which says that their spread is unknown, not that it is 0.
  bool testable() const;
};

struct EstimateOptions {
  double confidence = 0.95;
  Weighting weighting = Weighting::by_sample;
  /// The variance between runs that was found elsewhere (`pooled_seeds`), in place of the rows' own.
  std::optional<SeedVariance> seeds = {};
  /// Whether runs with the same seed belong together in all rows of a contrast. Then `seeds` isn't used.
  bool shared_seeds = false;
};

/// The mean of a row of any numbers, value ± t × standard error. Nothing without samples; no interval for
/// fewer than two tasks, nor if the spread is unknown (`Estimate::testable`).
std::optional<Estimate> mean_level(const Observations& row, const EstimateOptions& options = {});

/// The mean of a row of zeros and ones. Its interval is t's on the logit scale (the standard error divided by
/// p(1 − p)), so that it lies in [0, 1]. If no sample is 1, or all are, or all tasks have the same share, it
/// is Wilson's for one sample a task.
std::optional<Estimate> share_level(const Observations& row, const EstimateOptions& options = {});

/// A row with its coefficient in a contrast.
struct Term {
  const Observations* row = nullptr;
  double coefficient = 0;
};

/// Σ coefficient × mean, for instance {+1, −1} for the difference of two rows. The rows share tasks, and are
/// paired by them. About the recipe if every row has several seeds, or options.seeds is given; otherwise
/// about these runs. Nothing if a row has no samples.
std::optional<Estimate> contrast(std::span<const Term> terms, const EstimateOptions& options = {});

/// The estimate with this spread, and its interval by t.
Estimate estimate_of(double value, const Spread& spread, double confidence);

/// The probability under the hypothesis value = null of an estimate as far from it, by t; 1 if the estimate
/// isn't testable.
double p_value(const Estimate& estimate, double null = 0);

}  // namespace trl::statistics
