// The smallest effect that a design of tasks, samples and seeds can detect. It is planned before the run by
// the same statistics with which `report` evaluates the run.
#pragma once
#include <optional>

namespace trl::language {

/// A comparison of two shares of correct answers, both measured on the same tasks.
struct Comparison {
  double tasks = 0;
  double answers = 1;  ///< for each task and side: samples × seeds × pairs of cells
  double alpha = 0.05;
  double power = 0.8;

  /// The share of correct answers. Nothing is known before the run, so this is the one with the largest
  /// variance.
  static constexpr double share = 0.5;
  /// Correlation of the answers to one task. On the wind tunnel it is 0.43–0.70.
  static constexpr double intra_class_correlation = 0.6;
  /// Correlation of a task's difficulty between the two sides, which a paired comparison removes. The value
  /// is an assumption; cells that differ little correlate more.
  static constexpr double pairing = 0.5;

  /// tasks · answers / (1 + (answers − 1) · correlation): at most tasks / correlation, whatever the answers.
  double independent_answers() const;
  /// The standard error of the difference: √(2 · share · (1 − share) · (1 − pairing) / independent answers).
  double standard_error() const;
  /// z(1 − alpha / 2) + z(power): 1.96 + 0.84 at 5% and 80%.
  double deviations() const;
  /// The smallest difference of shares that the design finds with the given power.
  double detectable() const { return deviations() * standard_error(); }

  /// The number of tasks that detects an effect with the same answers for each, and the number of answers
  /// with the same tasks, if any does.
  double tasks_for(double effect) const;
  std::optional<double> answers_for(double effect) const;
};

/// The quantile of the standard normal distribution, 0 < p < 1.
double normal_quantile(double p);

}  // namespace trl::language
