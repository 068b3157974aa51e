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

/// Whether fewer than ten tasks have a success, or fewer than ten a failure.
bool carried_by_few(const Observations& row) {
  constexpr int few = 10;
  int with_success = 0, with_failure = 0;
  for (std::size_t t = 0; t < row.tasks(); ++t) {
    double count = 0, sum = 0;
    for (std::size_t s = 0; s < row.seeds(); ++s) count += row.count(t, s), sum += row.sum(t, s);
    with_success += sum > 0, with_failure += sum < count;
  }
  return with_success < few || with_failure < few;
}

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
                    spread.seeds_freedom > 0 ? Scope::recipe : Scope::these_runs,
                    spread};
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

std::optional<Estimate> contrast_by_runs(std::span<const Observations> rows,
                                         std::span<const double> coefficients, const SharedRuns& runs,
                                         const EstimateOptions& options) {
  std::vector<Scores> scores;
  std::vector<double> kept;
  SharedRuns chains;
  double value = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    auto found = scores_of(rows[row], options.weighting);
    if (!found && coefficients[row] != 0) return std::nullopt;
    if (!found) continue;
    value += coefficients[row] * found->mean;
    scores.push_back(std::move(*found)), kept.push_back(coefficients[row]);
    if (!runs.empty()) chains.push_back(runs[row]);
  }
  if (scores.empty()) return std::nullopt;
  return estimate_of(value, spread_by_runs(scores, kept, chains), options.confidence);
}

std::optional<Estimate> mean_level(const Observations& row, const EstimateOptions& options) {
  const Term term{&row, 1};
  return contrast({&term, 1}, options);
}

std::optional<Estimate> share_level(const Observations& row, const EstimateOptions& options) {
  auto estimate = mean_level(row, options);
  if (!estimate || estimate->degrees_of_freedom <= 0) return estimate;
  const double p = estimate->value;
  const auto tasks = static_cast<double>(scores_of(row, options.weighting)->observed_tasks);
  const auto of_tasks = wilson(p * tasks, tasks, options.confidence);
  if (!estimate->testable() || p <= 0 || p >= 1) {
    estimate->interval = of_tasks;
    return estimate;
  }
  const double logit = std::log(p / (1 - p)),
               half = critical(*estimate, options.confidence) * estimate->standard_error / (p * (1 - p));
  estimate->interval = Interval{logistic(logit - half), logistic(logit + half)};
  if (carried_by_few(row)) {
    estimate->interval->low = std::min(estimate->interval->low, of_tasks.low);
    estimate->interval->high = std::max(estimate->interval->high, of_tasks.high);
  }
  return estimate;
}

double p_value(const Estimate& estimate, double null) {
  if (!estimate.testable()) return 1;
  return t_two_sided((estimate.value - null) / estimate.standard_error, estimate.degrees_of_freedom);
}

}  // namespace trl::statistics
