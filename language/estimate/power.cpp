#include "language/estimate/power.hpp"

#include <cmath>

namespace trl::language {

double normal_quantile(double p) {
  double low = -40, high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double Comparison::independent_answers() const {
  return tasks * answers / (1 + (answers - 1) * intra_class_correlation);
}

double Comparison::standard_error() const {
  return std::sqrt(2 * share * (1 - share) * (1 - pairing) / independent_answers());
}

double Comparison::deviations() const { return normal_quantile(1 - alpha / 2) + normal_quantile(power); }

namespace {

/// The number of independent answers on each side that detects an effect.
double needed(const Comparison& design, double effect) {
  const double error = effect / design.deviations();
  return 2 * Comparison::share * (1 - Comparison::share) * (1 - Comparison::pairing) / (error * error);
}

}  // namespace

double Comparison::tasks_for(double effect) const {
  return std::ceil(needed(*this, effect) * tasks / independent_answers());
}

std::optional<double> Comparison::answers_for(double effect) const {
  // Solves needed = tasks · a / (1 + (a − 1) · r) for a.
  const double worth = needed(*this, effect) / tasks;
  const double room = 1 - worth * intra_class_correlation;
  if (room <= 0) return std::nullopt;
  return std::ceil(worth * (1 - intra_class_correlation) / room);
}

}  // namespace trl::language
