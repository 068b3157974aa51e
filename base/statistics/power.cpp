#include "base/statistics/power.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/statistics/distributions.hpp"
#include "base/statistics/factorial.hpp"

namespace trl::statistics {
namespace {

/// A sum of variances, each times its degrees of freedom, and the sum of the degrees of freedom.
struct Pool {
  double sum = 0, freedom = 0;
  void add(double mean_square, double df) { sum += mean_square * df, freedom += df; }
  double mean() const { return freedom > 0 ? sum / freedom : 0; }
};

/// Returns the tasks for which every row has a sample under every seed.
std::vector<std::size_t> complete_tasks(std::span<const Observations> rows) {
  std::vector<std::size_t> tasks;
  for (std::size_t t = 0; t < rows.front().tasks(); ++t)
    if (std::all_of(rows.begin(), rows.end(), [&](const Observations& row) {
          if (t >= row.tasks()) return false;
          for (std::size_t s = 0; s < row.seeds(); ++s)
            if (row.count(t, s) <= 0) return false;
          return true;
        }))
      tasks.push_back(t);
  return tasks;
}

/// The two-way analysis of variance of a table [row][column], one value a place.
struct TwoWay {
  double rows = 0, columns = 0, residual = 0;  ///< mean squares
};
TwoWay two_way(const std::vector<std::vector<double>>& table) {
  const auto R = static_cast<double>(table.size()), C = static_cast<double>(table.front().size());
  std::vector<double> row_means(table.size(), 0.0), column_means(table.front().size(), 0.0);
  double mean = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = 0; j < table[i].size(); ++j)
      row_means[i] += table[i][j] / C, column_means[j] += table[i][j] / R, mean += table[i][j] / (R * C);
  TwoWay out;
  for (const double m : row_means) out.rows += C * (m - mean) * (m - mean) / std::max(1.0, R - 1);
  for (const double m : column_means) out.columns += R * (m - mean) * (m - mean) / std::max(1.0, C - 1);
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = 0; j < table[i].size(); ++j) {
      const double rest = table[i][j] - row_means[i] - column_means[j] + mean;
      out.residual += rest * rest / std::max(1.0, (R - 1) * (C - 1));
    }
  return out;
}

double positive(double x) { return std::max(0.0, x); }

double seeds_of(const Observations& row) { return static_cast<double>(row.seeds()); }

}  // namespace

std::optional<Components> components_of(std::span<const Observations> rows) {
  if (rows.empty()) return std::nullopt;
  const auto tasks = complete_tasks(rows);
  if (tasks.size() < 2) return std::nullopt;
  const double T = static_cast<double>(tasks.size()), R = static_cast<double>(rows.size());
  Components out;
  Pool within;
  double inverse_counts = 0, cells = 0;
  for (const auto& row : rows)
    for (const auto t : tasks)
      for (std::size_t s = 0; s < row.seeds(); ++s) {
        const double n = row.count(t, s), mean = row.sum(t, s) / n;
        if (n > 1) within.add((row.squares(t, s) - n * mean * mean) / (n - 1), n - 1);
        inverse_counts += 1 / n, ++cells;
      }
  out.samples_known = within.freedom > 0;
  out.sample = positive(within.mean());
  const double noise = out.sample * inverse_counts / cells;  // the variance of a cell's mean by its samples

  Pool seeds, interaction;
  std::vector<std::vector<double>> task_means(tasks.size(), std::vector<double>(rows.size(), 0.0));
  double inverse_seeds = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& row = rows[r];
    std::vector<std::vector<double>> table;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      table.emplace_back();
      for (std::size_t s = 0; s < row.seeds(); ++s)
        table.back().push_back(row.sum(tasks[i], s) / row.count(tasks[i], s));
      for (const double value : table.back()) task_means[i][r] += value / seeds_of(row);
    }
    inverse_seeds += 1 / seeds_of(row) / R;
    if (row.seeds() < 2) continue;
    const auto squares = two_way(table);
    seeds.add(squares.columns, seeds_of(row) - 1);
    interaction.add(squares.residual, (T - 1) * (seeds_of(row) - 1));
  }
  out.seeds_known = seeds.freedom > 0;
  if (out.seeds_known) {
    out.seed = positive((seeds.mean() - interaction.mean()) / T);
    out.task_seed = positive(interaction.mean() - noise);
  }
  const auto squares = two_way(task_means);
  const double of_runs = (out.seeds_known ? interaction.mean() : noise) * inverse_seeds;
  if (rows.size() < 2) {
    out.task = positive(squares.rows - of_runs);
  } else {
    out.task_row = positive(squares.residual - of_runs);
    out.task = positive((squares.rows - squares.residual) / R);
  }
  return out;
}

std::optional<Components> components_of_contrast(std::span<const Term> terms) {
  if (terms.empty()) return std::nullopt;
  const auto& first = *terms.front().row;
  std::vector<Observations> rows;
  for (const auto& term : terms) {
    if (term.row->seeds() != first.seeds()) return std::nullopt;
    rows.push_back(*term.row);
  }
  const auto tasks = complete_tasks(rows);
  if (tasks.size() < 2) return std::nullopt;
  Observations contrast(tasks.size(), first.seeds());
  double noise = 0, sample = 0, cells = 0;
  bool several = true;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    for (std::size_t s = 0; s < first.seeds(); ++s) {
      double value = 0;
      for (const auto& term : terms) {
        const auto& row = *term.row;
        const double n = row.count(tasks[i], s), mean = row.sum(tasks[i], s) / n;
        value += term.coefficient * mean;
        several &= n > 1;
        const double within = n > 1 ? (row.squares(tasks[i], s) - n * mean * mean) / (n - 1) : 0;
        sample += term.coefficient * term.coefficient * within;
        noise += term.coefficient * term.coefficient * within / n;
      }
      contrast.add(i, s, value), ++cells;
    }
  auto out = *components_of({&contrast, 1});
  out.task_row = out.task, out.task = 0;
  out.samples_known = several;
  if (!several) return out;
  out.sample = positive(sample / cells);
  // Answers of two rows may be correlated (they use the same random numbers, or nearly the same model). The
  // contrast then varies less than it would with independent samples, so the observed variance is used.
  double& seen = out.seeds_known ? out.task_seed : out.task_row;
  const double expected = noise / cells;
  if (expected > seen) out.sample *= seen / expected;
  seen = positive(seen - expected);
  return out;
}

namespace {

/// The expected parts of the variance, with the degrees of freedom that a study of this size will report for
/// the seeds' part. `seeds_freedom` are the degrees of freedom of the distribution of that part; they are
/// larger if each row has a variance of its own.
struct Expected {
  Spread spread;
  double seeds_freedom = 0;
};

Expected expected_spread(const Components& components, const StudySize& plan, const Question& question) {
  Expected out;
  auto& spread = out.spread;
  if (plan.tasks < 2 || plan.seeds < 1 || plan.samples < 1) return out;
  const double T = static_cast<double>(plan.tasks), S = static_cast<double>(plan.seeds),
               K = static_cast<double>(plan.samples), squares = question.squared_coefficients;
  const double cell = squares * (components.task_seed + components.sample / K) / (T * S),
               task = squares * (components.task_row + (question.level ? components.task : 0)) / T,
               seed = squares * components.seed / S;
  spread.tasks_freedom = T - 1;
  if (plan.seeds == 1 && question.pooled_contrasts >= fewest_pooled) {
    spread.seeds = task + seed + cell;
    spread.seeds_freedom = out.seeds_freedom = static_cast<double>(question.pooled_contrasts);
    return out;
  }
  spread.tasks = task + cell;
  if (plan.seeds == 1) return out;
  spread.interaction = cell, spread.seeds = seed + cell;
  if (question.runs_freedom > 0) {
    spread.seeds_freedom = out.seeds_freedom = question.runs_freedom * (S - 1);
    spread.least_share = std::min(1.0, 1 / spread.seeds_freedom);
  } else {
    // Satterthwaite's (Σ v)² / Σ (v² / (S − 1)) for `rows` variances v with equal expectations: E[numerator]
    // / E[denominator].
    const double rows = static_cast<double>(question.rows);
    out.seeds_freedom = rows * (S - 1);
    spread.seeds_freedom = (S - 1) * (out.seeds_freedom + 2) / (S + 1);
  }
  return out;
}

/// The power of a test as a function of the effect.
class PowerCurve {
 public:
  PowerCurve(const Expected& expected, const Certainty& wanted)
      : wanted_(wanted), variance_(combined(expected.spread)) {
    if (!testable()) return;
    if (expected.seeds_freedom > 0 && expected.spread.tasks > 0)
      add_halves(expected.seeds_freedom, [&](double factor) {
        Spread found = expected.spread;
        found.seeds *= factor;
        return combined(found);
      });
    else
      add_scaled();
  }

  PowerCurve(const Variance& variance, const Certainty& wanted) : wanted_(wanted), variance_(variance) {
    if (testable()) add_scaled();
  }

  bool testable() const { return variance_.degrees_of_freedom > 0 && variance_.value > 0; }
  double standard_error() const { return std::sqrt(variance_.value); }

  double at(double effect) const {
    const double shift = std::abs(effect) / standard_error(), freedom = variance_.degrees_of_freedom;
    if (halves_.empty()) {
      const double critical = t_quantile(1 - wanted_.alpha / 2, freedom);
      return 1 - noncentral_t_probability(critical, freedom, shift) +
             noncentral_t_probability(-critical, freedom, shift);
    }
    double sum = 0;
    for (const double half : halves_) {
      const double bound = half / standard_error();
      sum += wanted_.equivalence ? std::max(0.0, 2 * normal_probability(shift - bound) - 1)
                                 : normal_probability(shift - bound) + normal_probability(-shift - bound);
    }
    return sum / static_cast<double>(halves_.size());
  }

 private:
  /// Adds half widths of the interval by which the test decides. They vary between studies, since one part of
  /// the variance is estimated with few degrees of freedom: one half width is added for each of 128 quantiles
  /// of that part.
  template <class VarianceAt>
  void add_halves(double freedom, VarianceAt variance_at) {
    constexpr int points = 128;
    for (int i = 0; i < points; ++i) {
      const auto found = variance_at(chi_squared_quantile((i + 0.5) / points, freedom) / freedom);
      halves_.push_back(
          t_quantile(1 - wanted_.alpha / (wanted_.equivalence ? 1 : 2), found.degrees_of_freedom) *
          std::sqrt(found.value));
    }
  }
  /// For a variance with one estimated part: the noncentral t distribution gives the power of a two-sided
  /// test.
  void add_scaled() {
    if (wanted_.equivalence)
      add_halves(variance_.degrees_of_freedom, [&](double factor) {
        return Variance{variance_.value * factor, variance_.degrees_of_freedom};
      });
  }

  Certainty wanted_;
  Variance variance_;
  std::vector<double> halves_;
};

std::optional<double> smallest_found(const PowerCurve& curve, double wanted) {
  if (!curve.testable()) return std::nullopt;
  double low = 0, high = curve.standard_error();
  while (curve.at(high) < wanted) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (curve.at(middle) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace

Certainty certainty_of(Expectation expectation, std::size_t family, Certainty wanted) {
  wanted.alpha /= static_cast<double>(std::max<std::size_t>(1, family));
  wanted.equivalence = expectation == Expectation::same;
  return wanted;
}

Variance planned_variance(const Components& components, const StudySize& plan, const Question& question) {
  return combined(expected_spread(components, plan, question).spread);
}

double power(const Components& components, const StudySize& plan, const Question& question, double effect,
             const Certainty& wanted) {
  const PowerCurve curve(expected_spread(components, plan, question), wanted);
  return curve.testable() ? curve.at(effect) : 0;
}

std::optional<double> smallest_detectable(const Components& components, const StudySize& plan,
                                          const Question& question, Certainty wanted) {
  return smallest_found(PowerCurve(expected_spread(components, plan, question), wanted), wanted.power);
}

Components components_of(const Spread& spread, const StudySize& size, double sample_share) {
  const double tasks = static_cast<double>(size.tasks), seeds = static_cast<double>(size.seeds),
               cell = spread.interaction * tasks * seeds;
  Components out;
  out.task_row = positive(spread.tasks - spread.interaction) * tasks;
  out.seed = positive(spread.seeds - spread.interaction) * seeds;
  out.task_seed = (1 - sample_share) * cell;
  out.sample = sample_share * cell * static_cast<double>(size.samples);
  out.seeds_known = spread.seeds_freedom > 0, out.samples_known = size.samples > 1;
  return out;
}

std::optional<double> smallest_detectable(const Estimate& estimate, Certainty wanted) {
  if (!estimate.testable()) return std::nullopt;
  if (auto spread = estimate.spread; spread.seeds_freedom > 0) {
    // Raises the variances of tasks and seeds to at least the interaction, as `combined` does and as the plan
    // of this size assumes.
    spread.tasks = std::max(spread.tasks, spread.interaction);
    spread.seeds = std::max(spread.seeds, spread.interaction);
    return smallest_found(PowerCurve(Expected{spread, spread.seeds_freedom}, wanted), wanted.power);
  }
  return smallest_found(
      PowerCurve(Variance{estimate.standard_error * estimate.standard_error, estimate.degrees_of_freedom},
                 wanted),
      wanted.power);
}

std::optional<PricedPlan> cheapest_plan(const Components& components, const StudySize& limit,
                                        const Question& question, const Prices& prices, double effect,
                                        Certainty wanted) {
  std::optional<PricedPlan> best;
  const auto cost = [&](std::size_t seeds, std::size_t samples) {
    return static_cast<double>(question.rows * seeds) *
           (prices.run + static_cast<double>(limit.tasks * samples) * prices.sample);
  };
  const auto plan_of = [&](std::size_t seeds, std::size_t samples) {
    const StudySize size{limit.tasks, seeds, samples};
    return PricedPlan{size, cost(seeds, samples), power(components, size, question, effect, wanted)};
  };
  // More samples cost more and find more. For each number of seeds, bisection finds the fewest samples that
  // find the effect, below the number at which the plan would cost as much as the best plan so far.
  for (std::size_t seeds = 2; seeds <= limit.seeds; ++seeds) {
    std::size_t too_few = 0, enough = limit.samples;
    while (best && enough > 0 && cost(seeds, enough) >= best->cost) --enough;
    if (enough == 0) continue;
    PricedPlan plan = plan_of(seeds, enough);
    if (plan.power < wanted.power) continue;
    while (enough - too_few > 1) {
      const std::size_t middle = (too_few + enough) / 2;
      const PricedPlan of_middle = plan_of(seeds, middle);
      if (of_middle.power < wanted.power)
        too_few = middle;
      else
        enough = middle, plan = of_middle;
    }
    best = plan;
  }
  return best;
}

}  // namespace trl::statistics
