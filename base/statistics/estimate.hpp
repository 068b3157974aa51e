// Estimates of the means of rows (levels) and of the differences between rows (contrasts), with confidence
// intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/interval.hpp"
#include "base/statistics/observations.hpp"
#include "base/statistics/runs.hpp"
#include "base/statistics/spread.hpp"

namespace trl::statistics {

/// The population for which an interval holds.
enum class Scope {
  recipe,     ///< the expected value over new training seeds and new tasks of the same kind
  these_runs  ///< the value for the training runs at hand over new tasks of the same kind; other seeds may
              ///< give other values
};

/// An estimate whose error, divided by the standard error, has a t distribution with these degrees of
/// freedom.
struct Estimate {
  double value = 0;
  double standard_error = 0;
  double degrees_of_freedom = 0;  ///< 0 if the error is unknown, for instance with fewer than two tasks
  std::optional<Interval> interval;
  Scope scope = Scope::recipe;
  /// The parts of the squared standard error, from which power for a study of another size follows.
  Spread spread = {};

  /// Whether the standard error is known, so that tests are possible. If all observed differences are equal,
  /// the standard error is 0 (or 1e-9, by rounding): their spread is then unknown, not 0.
  bool testable() const;
};

struct EstimateOptions {
  double confidence = 0.95;
  Weighting weighting = Weighting::by_sample;
  /// The variance between training runs from other rows (`pooled_seeds`), in place of the rows' own.
  std::optional<SeedVariance> seeds = {};
  /// Whether runs with the same seed are paired across the rows of a contrast. `seeds` is then ignored.
  bool shared_seeds = false;
};

/// Returns the mean of a row of any numbers, with the interval mean ± t × standard error. Nothing for a row
/// without samples. The interval is missing if there are fewer than two tasks or `Estimate::testable` is
/// false.
std::optional<Estimate> mean_level(const Observations& row, const EstimateOptions& options = {});

/// Returns the mean of a row of zeros and ones. Its interval is a t interval on the logit scale (with the
/// standard error divided by p(1 − p)), so that it lies in [0, 1]. If all samples are 0, or all are 1, or all
/// tasks have the same share, the interval is the Wilson interval for one sample per task. If fewer than ten
/// tasks have a success, or fewer than ten a failure, it is the union of both intervals: the standard error
/// of so few tasks is itself too uncertain.
std::optional<Estimate> share_level(const Observations& row, const EstimateOptions& options = {});

/// A row and its coefficient in a contrast.
struct Term {
  const Observations* row = nullptr;
  double coefficient = 0;
};

/// Returns the contrast Σ coefficient × the row's mean, for instance with coefficients {+1, −1} the
/// difference of two rows. The rows share tasks and are paired by task. The scope is Scope::recipe if every
/// row has several seeds or options.seeds is set; otherwise Scope::these_runs. Nothing if a row has no
/// samples.
std::optional<Estimate> contrast(std::span<const Term> terms, const EstimateOptions& options = {});

/// Returns the contrast Σ coefficient × the row's mean over `rows`, whose training runs are shared as `runs`
/// says. All rows with several seeds stand for the variance between runs (`spread_by_runs`), also those whose
/// coefficient is 0, which may lack samples. The scope is Scope::recipe if every row with a coefficient has
/// several seeds. Nothing if such a row has no samples.
std::optional<Estimate> contrast_by_runs(std::span<const Observations> rows,
                                         std::span<const double> coefficients, const SharedRuns& runs,
                                         const EstimateOptions& options = {});

/// Returns the estimate with this value and spread, and with a t interval.
Estimate estimate_of(double value, const Spread& spread, double confidence);

/// Returns the p-value of the two-sided t test of the hypothesis that the true value is `null`; 1 if the
/// estimate isn't testable.
double p_value(const Estimate& estimate, double null = 0);

}  // namespace trl::statistics
