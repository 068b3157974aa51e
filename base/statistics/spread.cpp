#include "base/statistics/spread.hpp"

#include <algorithm>
#include <cmath>

namespace trl::statistics {
namespace {

double square(double x) { return x * x; }

double sum_of_squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += square(value);
  return sum;
}

/// The weights of a row's cells, which sum to 1; empty without samples.
std::vector<double> weights_of(const Observations& row, Weighting weighting) {
  std::vector<double> weights(row.tasks() * row.seeds(), 0.0);
  double total = 0;
  for (std::size_t t = 0; t < row.tasks(); ++t) {
    double filled = 0;
    for (std::size_t s = 0; s < row.seeds(); ++s) filled += row.count(t, s) > 0;
    for (std::size_t s = 0; s < row.seeds(); ++s) {
      if (row.count(t, s) <= 0) continue;
      const double weight = weighting == Weighting::by_sample ? row.count(t, s) : 1 / filled;
      weights[t * row.seeds() + s] = weight, total += weight;
    }
  }
  if (total <= 0) return {};
  for (double& weight : weights) weight /= total;
  return weights;
}

/// The variance of a sum of n independent scores that were centred.
double between(const std::vector<double>& scores, std::size_t n) {
  return n > 1 ? sum_of_squares(scores) * static_cast<double>(n) / static_cast<double>(n - 1) : 0;
}

double interaction_of(const std::vector<double>& cells, const Scores& row) {
  const double n = static_cast<double>(row.observed_cells);
  const double freedom = n - static_cast<double>(row.observed_tasks + row.observed_seeds) + 1;
  return freedom > 0 ? sum_of_squares(cells) * n / freedom : 0;
}

void add(std::vector<double>& to, const std::vector<double>& from, double factor) {
  to.resize(std::max(to.size(), from.size()), 0.0);
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
}

/// Solves matrix × x = right by Gaussian elimination with pivots; empty if the matrix is singular.
std::vector<double> solved(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  const auto n = right.size();
  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < n; ++j)
      if (std::abs(matrix[j][i]) > std::abs(matrix[pivot][i])) pivot = j;
    if (std::abs(matrix[pivot][i]) < rounding) return {};
    std::swap(matrix[i], matrix[pivot]), std::swap(right[i], right[pivot]);
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = matrix[j][i] / matrix[i][i];
      for (std::size_t k = i; k < n; ++k) matrix[j][k] -= factor * matrix[i][k];
      right[j] -= factor * right[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  return right;
}

/// Estimates the effects of the seeds in the additive model value = task + seed by weighted least squares,
/// with a weighted sum of 0. A seed without samples has effect 0. Empty if effects of seeds can't be
/// separated from effects of tasks, because no chain of shared tasks links all seeds.
template <typename Value>
std::vector<double> seed_effects(const std::vector<double>& weights, std::size_t tasks, std::size_t seeds,
                                 Value value) {
  std::vector<std::vector<double>> normal(seeds, std::vector<double>(seeds, 0.0));
  std::vector<double> right(seeds, 0.0), totals(seeds, 0.0);
  for (std::size_t t = 0; t < tasks; ++t) {
    const double* weight = &weights[t * seeds];
    double total = 0, mean = 0;
    for (std::size_t s = 0; s < seeds; ++s)
      if (weight[s] > 0) total += weight[s], totals[s] += weight[s], mean += weight[s] * value(t, s);
    for (std::size_t s = 0; s < seeds; ++s) {
      if (weight[s] <= 0) continue;
      right[s] += weight[s] * (value(t, s) - mean / total);
      normal[s][s] += weight[s];
      for (std::size_t other = 0; other < seeds; ++other)
        normal[s][other] -= weight[s] * weight[other] / total;
    }
  }
  // Any constant could be added to the effects; these terms choose the one where their weighted sum is 0.
  for (std::size_t s = 0; s < seeds; ++s)
    for (std::size_t other = 0; other < seeds; ++other)
      normal[s][other] += totals[s] > 0 ? totals[s] * totals[other] : s == other ? 1 : 0;
  return solved(std::move(normal), std::move(right));
}

struct Parts {
  double tasks, seeds, variance;
};

Parts bounded(const Spread& spread) {
  const double tasks = std::max(spread.tasks, spread.interaction),
               seeds = std::max(spread.seeds, spread.interaction);
  return {tasks, seeds, tasks + seeds - spread.interaction};
}

}  // namespace

void add_scores(Scores& to, const Scores& from, double factor) {
  to.mean += factor * from.mean;
  add(to.tasks, from.tasks, factor), add(to.seeds, from.seeds, factor), add(to.cells, from.cells, factor);
  to.observed.resize(std::max(to.observed.size(), from.observed.size()), false);
  for (std::size_t t = 0; t < from.observed.size(); ++t)
    if (from.observed[t]) to.observed[t] = true;
  to.observed_tasks = static_cast<std::size_t>(std::count(to.observed.begin(), to.observed.end(), true));
  to.observed_seeds = std::max(to.observed_seeds, from.observed_seeds);
  to.observed_cells = std::max(to.observed_cells, from.observed_cells);
}

std::optional<Scores> scores_of(const Observations& row, Weighting weighting) {
  const auto weights = weights_of(row, weighting);
  if (weights.empty()) return std::nullopt;
  const auto tasks = row.tasks(), seeds = row.seeds();
  const auto at = [&](std::size_t t, std::size_t s) { return t * seeds + s; };
  const auto value = [&](std::size_t t, std::size_t s) { return row.sum(t, s) / row.count(t, s); };
  Scores scores;
  scores.tasks.assign(tasks, 0.0), scores.seeds.assign(seeds, 0.0), scores.cells.assign(weights.size(), 0.0);
  scores.observed.assign(tasks, false);
  std::vector<double> task_weight(tasks, 0.0), seed_weight(seeds, 0.0);
  for (std::size_t t = 0; t < tasks; ++t)
    for (std::size_t s = 0; s < seeds; ++s) {
      const double weight = weights[at(t, s)];
      if (weight <= 0) continue;
      task_weight[t] += weight, seed_weight[s] += weight, ++scores.observed_cells;
      scores.tasks[t] += weight * value(t, s), scores.mean += weight * value(t, s);
    }
  for (std::size_t s = 0; s < seeds; ++s) scores.observed_seeds += seed_weight[s] > 0;
  const auto effects = seed_effects(weights, tasks, seeds, value);
  if (effects.empty()) scores.observed_seeds = 1;
  for (std::size_t t = 0; t < tasks; ++t) {
    if (task_weight[t] <= 0) continue;
    ++scores.observed_tasks, scores.observed[t] = true;
    double effect_of_seeds = 0;
    for (std::size_t s = 0; s < seeds && !effects.empty(); ++s)
      effect_of_seeds += weights[at(t, s)] / task_weight[t] * effects[s];
    for (std::size_t s = 0; s < seeds && !effects.empty(); ++s)
      if (const double weight = weights[at(t, s)]; weight > 0)
        scores.cells[at(t, s)] =
            weight * (value(t, s) - scores.tasks[t] / task_weight[t] - effects[s] + effect_of_seeds);
    scores.tasks[t] -= task_weight[t] * scores.mean;
  }
  for (std::size_t s = 0; s < seeds && !effects.empty(); ++s) scores.seeds[s] = seed_weight[s] * effects[s];
  return scores;
}

Spread spread_of(std::span<const Scores> rows, std::span<const double> coefficients, bool shared_seeds) {
  Spread spread;
  Scores sum;  // the scores of the contrast, as if it were one row
  double satterthwaite = 0;
  bool all_repeated = true;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double c = coefficients[r];
    if (c == 0) continue;
    const auto& row = rows[r];
    add_scores(sum, row, c);  // Rows may have different tasks; each of them counts.
    all_repeated &= row.observed_seeds > 1;
    if (!shared_seeds && row.observed_seeds > 1) {
      const double seeds = square(c) * between(row.seeds, row.observed_seeds);
      spread.seeds += seeds, spread.interaction += square(c) * interaction_of(row.cells, row);
      satterthwaite += square(seeds) / static_cast<double>(row.observed_seeds - 1);
      spread.seeds_freedom += static_cast<double>(row.observed_seeds - 1);
    }
  }
  const auto tasks = sum.observed_tasks;
  spread.tasks = between(sum.tasks, tasks);
  spread.tasks_freedom = tasks > 1 ? static_cast<double>(tasks - 1) : 0;
  if (!all_repeated) {
    spread.seeds = spread.interaction = spread.seeds_freedom = 0;
  } else if (shared_seeds) {
    spread.seeds = between(sum.seeds, sum.observed_seeds),
    spread.interaction = interaction_of(sum.cells, sum);
    spread.seeds_freedom = static_cast<double>(sum.observed_seeds - 1);
  } else if (satterthwaite > 0) {
    spread.seeds_freedom = square(spread.seeds) / satterthwaite;
  }
  return spread;
}

Variance combined(const Spread& spread) {
  if (spread.seeds_freedom <= 0 || spread.tasks_freedom <= 0) return {spread.tasks, spread.tasks_freedom};
  const auto [tasks, seeds, variance] = bounded(spread);
  if (variance <= 0) return {0, spread.tasks_freedom};
  const double found = std::sqrt((seeds - spread.interaction) * seeds) / variance,
               share = std::min(1.0, std::max(found, spread.least_share));
  return {variance, 1 / ((1 - share) / spread.tasks_freedom + share / spread.seeds_freedom)};
}

Variance combined_by_satterthwaite(const Spread& spread) {
  if (spread.seeds_freedom <= 0 || spread.tasks_freedom <= 0) return {spread.tasks, spread.tasks_freedom};
  const auto [tasks, seeds, variance] = bounded(spread);
  if (variance <= 0) return {0, spread.tasks_freedom};
  return {variance,
          square(variance) / (square(tasks) / spread.tasks_freedom + square(seeds) / spread.seeds_freedom)};
}

std::optional<SeedVariance> pooled_seeds(std::span<const Observations> rows, Weighting weighting) {
  SeedVariance pooled;
  for (const auto& row : rows) {
    const auto scores = scores_of(row, weighting);
    if (!scores || scores->observed_seeds < 2) continue;
    const double seeds = static_cast<double>(scores->observed_seeds), freedom = seeds - 1;
    pooled.one_run += freedom * seeds * between(scores->seeds, scores->observed_seeds);
    pooled.interaction += freedom * seeds * interaction_of(scores->cells, *scores);
    pooled.degrees_of_freedom += freedom;
  }
  if (pooled.degrees_of_freedom <= 0) return std::nullopt;
  pooled.one_run /= pooled.degrees_of_freedom, pooled.interaction /= pooled.degrees_of_freedom;
  return pooled;
}

void use_pooled_seeds(Spread& spread, const SeedVariance& pooled, std::span<const Scores> rows,
                      std::span<const double> coefficients) {
  spread.seeds = spread.interaction = 0;
  spread.seeds_freedom = pooled.degrees_of_freedom;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double factor = square(coefficients[r]) / static_cast<double>(rows[r].observed_seeds);
    spread.seeds += factor * pooled.one_run, spread.interaction += factor * pooled.interaction;
  }
}

}  // namespace trl::statistics
