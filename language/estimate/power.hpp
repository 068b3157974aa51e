// What a design of tasks, samples and seeds can tell apart: planned before the run, as `report` measures it
// after.
#pragma once
#include <optional>

namespace trl::language {

/// The comparison of two shares of correct answers, each measured on the same tasks.
struct Comparison {
  double tasks = 0;
  double answers = 1;  ///< a task, on each side: samples × seeds × pairs of cells
  double alpha = 0.05;
  double power = 0.8;

  /// Share of correct answers at which the variance is largest: nothing is known before the run.
  static constexpr double share = 0.5;
  /// Correlation of the answers to one task. On the wind tunnel it is 0.43–0.70.
  static constexpr double intra_class_correlation = 0.6;
  /// Correlation of a task's difficulty between the two sides, which a paired comparison takes out. Assumed;
  /// cells that differ little correlate more.
  static constexpr double pairing = 0.5;

  /// tasks · answers / (1 + (answers − 1) · correlation): at most tasks / correlation, whatever the answers.
  double independent_answers() const;
  /// Of the difference: √(2 · share · (1 − share) · (1 − pairing) / independent answers).
  double standard_error() const;
  /// z(1 − alpha / 2) + z(power): 1.96 + 0.84 at 5% and 80%.
  double deviations() const;
  /// The smallest difference of shares that is found with that power.
  double detectable() const { return deviations() * standard_error(); }

  /// The tasks that detect an effect with as many answers each; and the answers with as many tasks, if any
  /// do.
  double tasks_for(double effect) const;
  std::optional<double> answers_for(double effect) const;
};

/// The quantile of the standard normal distribution, 0 < p < 1.
double normal_quantile(double p);

}  // namespace trl::language
