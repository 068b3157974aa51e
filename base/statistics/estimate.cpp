#include "base/statistics/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics/distributions.hpp"
#include "base/statistics/wilson.hpp"

namespace trl::statistics {
namespace {

double critical(const Estimate& estimate, double confidence) {
  return t_quantile((1 + confidence) / 2, estimate.degrees_of_freedom);
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

bool Estimate::testable() const {
  constexpr double rounding = 1e-9;
  return degrees_of_freedom > 0 && standard_error > rounding * std::max(1.0, std::abs(value));
}

Estimate estimate_of(double value, const Spread& spread, double confidence) {
  const auto variance = combined(spread);
  Estimate estimate{value,
                    std::sqrt(variance.value),
                    variance.degrees_of_freedom,
                    {},
                    spread.seeds_freedom > 0 ? Scope::recipe : Scope::these_runs};
  if (estimate.testable()) {
    const double half = critical(estimate, confidence) * estimate.standard_error;
    estimate.interval = Interval{value - half, value + half};
  }
  return estimate;
}

std::optional<Estimate> contrast(std::span<const Term> terms, const EstimateOptions& options) {
  std::vector<Scores> rows;
  std::vector<double> coefficients;
  double value = 0;
  for (const auto& term : terms) {
    auto scores = scores_of(*term.row, options.weighting);
    if (!scores) return std::nullopt;
    value += term.coefficient * scores->mean;
    rows.push_back(std::move(*scores)), coefficients.push_back(term.coefficient);
  }
  if (rows.empty()) return std::nullopt;
  auto spread = spread_of(rows, coefficients, options.shared_seeds);
  if (options.seeds && !options.shared_seeds) use_pooled_seeds(spread, *options.seeds, rows, coefficients);
  return estimate_of(value, spread, options.confidence);
}

std::optional<Estimate> mean_level(const Observations& row, const EstimateOptions& options) {
  const Term term{&row, 1};
  return contrast({&term, 1}, options);
}

std::optional<Estimate> share_level(const Observations& row, const EstimateOptions& options) {
  auto estimate = mean_level(row, options);
  if (!estimate || estimate->degrees_of_freedom <= 0) return estimate;
  const double p = estimate->value;
  if (!estimate->testable() || p <= 0 || p >= 1) {
    const double tasks = static_cast<double>(scores_of(row, options.weighting)->observed_tasks);
    estimate->interval = wilson(p * tasks, tasks, options.confidence);
    return estimate;
  }
  const double logit = std::log(p / (1 - p)),
               half = critical(*estimate, options.confidence) * estimate->standard_error / (p * (1 - p));
  estimate->interval = Interval{logistic(logit - half), logistic(logit + half)};
  return estimate;
}

double p_value(const Estimate& estimate, double null) {
  if (!estimate.testable()) return 1;
  return t_two_sided((estimate.value - null) / estimate.standard_error, estimate.degrees_of_freedom);
}

}  // namespace trl::statistics
