#include "base/statistics/factorial.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "base/statistics/distributions.hpp"

namespace trl::statistics {
namespace {

using Signs = std::vector<int>;

/// Returns all sets of `size` of the factors, in lexicographic order.
std::vector<Factors> sets_of(std::size_t size, std::size_t factors) {
  std::vector<Factors> sets;
  std::vector<bool> chosen(factors, false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
  do {
    Factors set;
    for (std::size_t f = 0; f < factors; ++f)
      if (chosen[f]) set.push_back(f);
    sets.push_back(std::move(set));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return sets;
}

Signs signs_of(const std::vector<std::vector<bool>>& levels, const Factors& set) {
  Signs signs;
  for (const auto& row : levels) {
    int sign = 1;
    for (const auto factor : set) sign *= row.at(factor) ? 1 : -1;
    signs.push_back(sign);
  }
  return signs;
}

Signs opposite(Signs signs) {
  for (int& sign : signs) sign = -sign;
  return signs;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// An effect's contrast: its value Σ coefficient × the row's mean, and the value's spread.
struct Contrast {
  double value = 0;
  Spread spread;
};

/// Returns the scores of all rows; empty if a row has no samples. Throws std::invalid_argument if the number
/// of rows differs from the design's.
std::vector<Scores> scores_of_rows(const std::vector<std::vector<bool>>& levels,
                                   std::span<const Observations> rows, Weighting weighting) {
  if (rows.size() != levels.size()) throw std::invalid_argument("a design with another number of rows");
  std::vector<Scores> scores;
  for (const auto& row : rows) {
    auto found = scores_of(row, weighting);
    if (!found) return {};
    scores.push_back(std::move(*found));
  }
  return scores;
}

std::vector<Contrast> contrasts_of(const std::vector<Effect>& effects, std::span<const Scores> rows,
                                   const EstimateOptions& options, const SharedRuns& runs) {
  std::vector<Contrast> contrasts;
  for (const auto& effect : effects) {
    auto& contrast = contrasts.emplace_back();
    for (std::size_t r = 0; r < rows.size(); ++r) contrast.value += effect.coefficients[r] * rows[r].mean;
    contrast.spread = spread_by_runs(rows, effect.coefficients, runs);
    if (options.seeds) use_pooled_seeds(contrast.spread, *options.seeds, rows, effect.coefficients);
  }
  return contrasts;
}

/// The result of pooling contrasts: their number, their mean square, and the part of it that comes from tasks
/// and samples.
struct Pooled {
  std::size_t contrasts = 0;
  double mean_square = 0, tasks = 0;
  /// The factor between the contrasts' squares and the parts that tasks add to them, fitted by least squares.
  /// A contrast with a factor that hardly acts is nearly 0 in every task, so it has little weight.
  double dispersion = 0;
  double freedom = 0;  ///< the dispersion's degrees of freedom
};

Pooled pooled_contrasts(const std::vector<Contrast>& contrasts, const std::vector<std::size_t>& chosen) {
  Pooled out;
  double squares = 0, fourth_powers = 0, tasks_freedom = 0;
  for (const auto i : chosen) {
    const double square = contrasts[i].value * contrasts[i].value, tasks = contrasts[i].spread.tasks;
    ++out.contrasts;
    out.mean_square += square, out.tasks += tasks, out.dispersion += tasks * square;
    squares += tasks * tasks, fourth_powers += std::pow(tasks, 4);
    tasks_freedom = contrasts[i].spread.tasks_freedom;
  }
  if (out.contrasts > 0) {
    out.mean_square /= static_cast<double>(out.contrasts);
    out.tasks /= static_cast<double>(out.contrasts);
    out.dispersion = squares > 0 ? out.dispersion / squares : 0;
    // The part that tasks add to a contrast is itself estimated, as a mean square with n degrees of freedom.
    // `excess` corrects for the bias of its powers (moments of chi-squared).
    const double n = std::max(1.0, tasks_freedom), excess = (1 + 4 / n) * (1 + 6 / n) / (1 + 2 / n);
    out.freedom = static_cast<double>(out.contrasts);
    if (fourth_powers > 0)
      out.freedom = std::clamp(excess * squares * squares / fourth_powers, 1.0, out.freedom);
  }
  return out;
}

/// Whether a contrast is exposed to runs at least as much as the other contrast, at each depth.
bool exposed_as_much(const std::vector<double>& one, const std::vector<double>& other) {
  constexpr double rounding = 1e-9;
  for (std::size_t depth = 0; depth < other.size(); ++depth)
    if (one[depth] < other[depth] - rounding) return false;
  return true;
}

}  // namespace

std::vector<Effect> effects_of_design(const std::vector<std::vector<bool>>& levels) {
  if (levels.empty()) throw std::invalid_argument("a design without rows");
  const auto factors = levels.front().size();
  std::vector<Effect> effects;
  std::map<Signs, std::size_t> known;
  // In a fractional design, sets of few factors already name all effects.
  for (std::size_t size = 1; size <= factors && effects.size() + 1 < levels.size(); ++size)
    for (const auto& set : sets_of(size, factors)) {
      const auto signs = signs_of(levels, set);
      const int sum = std::accumulate(signs.begin(), signs.end(), 0);
      if (std::abs(sum) == static_cast<int>(levels.size())) continue;  // A generator of the fraction.
      if (sum != 0) throw std::invalid_argument("a design whose contrasts aren't orthogonal");
      const auto same = known.contains(signs) ? known.find(signs) : known.find(opposite(signs));
      if (same != known.end()) {
        effects[same->second].aliases.push_back(set);
        continue;
      }
      known[signs] = effects.size();
      Effect effect;
      effect.factors = set;
      for (const int sign : signs)
        effect.coefficients.push_back(2.0 * sign / static_cast<double>(levels.size()));
      effects.push_back(std::move(effect));
    }
  if (effects.size() + 1 != levels.size())
    throw std::invalid_argument("a design whose rows aren't all different");
  for (const auto& [one, i] : known)
    for (const auto& [other, j] : known)
      if (i < j && std::inner_product(one.begin(), one.end(), other.begin(), 0) != 0)
        throw std::invalid_argument("a design whose contrasts aren't orthogonal");
  return effects;
}

std::vector<std::size_t> contrasts_for_error(const std::vector<Effect>& effects, std::size_t effect,
                                             const SharedRuns& runs) {
  const auto own = exposure_of(effects[effect].coefficients, runs);
  const auto run_of_row = distinct_runs(runs, effects[effect].coefficients.size());
  std::vector<std::vector<double>> compared;
  extend_basis(compared, coefficients_of_runs(effects[effect].coefficients, run_of_row));
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < effects.size(); ++i)
    if (effects[i].factors.size() > effects[effect].factors.size() &&
        exposed_as_much(exposure_of(effects[i].coefficients, runs), own) &&
        extend_basis(compared, coefficients_of_runs(effects[i].coefficients, run_of_row)))
      out.push_back(i);
  return out;
}

std::vector<Effect> factorial_effects(const std::vector<std::vector<bool>>& levels,
                                      std::span<const Observations> rows, const EstimateOptions& options,
                                      const SharedRuns& runs) {
  auto effects = effects_of_design(levels);
  const auto scores = scores_of_rows(levels, rows, options.weighting);
  if (scores.empty()) return effects;
  if (!runs.empty() && runs.size() != rows.size())
    throw std::invalid_argument("runs of another number of rows");
  const auto contrasts = contrasts_of(effects, scores, options, runs);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    auto spread = contrasts[i].spread;
    if (spread.seeds_freedom <= 0) {
      const auto higher = pooled_contrasts(contrasts, contrasts_for_error(effects, i, runs));
      if (higher.contrasts >= fewest_pooled) {
        // The mean square of the pooled contrasts includes the part that tasks add to them. So of this
        // contrast's own part from tasks, only the excess over that part is added.
        spread.tasks = std::max(0.0, spread.tasks - higher.tasks);
        spread.seeds = higher.mean_square;
        // Runs also add more to a contrast if its rows differ in more tasks than the rows of the pooled
        // contrasts.
        const double dispersed = higher.dispersion * contrasts[i].spread.tasks;
        if (dispersed > spread.tasks + spread.seeds) spread.tasks = 0, spread.seeds = dispersed;
        spread.seeds_freedom = higher.freedom;
        // If few contrasts dominate the mean square, the t distribution has few degrees of freedom, even if
        // the mean square happens to be small.
        spread.least_share = 1 / higher.freedom - 1 / static_cast<double>(higher.contrasts);
        effects[i].pooled = higher.contrasts;
      }
    }
    effects[i].estimate = estimate_of(contrasts[i].value, spread, options.confidence);
  }
  return effects;
}

std::optional<SeedVariance> seeds_of_design(const std::vector<std::vector<bool>>& levels,
                                            std::span<const Observations> rows, Weighting weighting) {
  const auto effects = effects_of_design(levels);
  const auto scores = scores_of_rows(levels, rows, weighting);
  if (scores.empty()) return std::nullopt;
  std::vector<std::size_t> interactions;
  for (std::size_t i = 0; i < effects.size(); ++i)
    if (effects[i].factors.size() > 1) interactions.push_back(i);
  const auto higher = pooled_contrasts(contrasts_of(effects, scores, {}, {}), interactions);
  if (higher.contrasts < fewest_pooled) return std::nullopt;
  // The sum of the squared coefficients of an effect is 4 / number of rows.
  const double one_row = static_cast<double>(rows.size()) / 4;
  return SeedVariance{higher.mean_square * one_row, higher.tasks * one_row,
                      static_cast<double>(higher.contrasts)};
}

std::vector<HalfNormalPoint> half_normal_plot(std::span<const double> effects) {
  std::vector<HalfNormalPoint> points;
  for (std::size_t i = 0; i < effects.size(); ++i) points.push_back({i, std::abs(effects[i]), 0});
  std::stable_sort(points.begin(), points.end(),
                   [](const auto& a, const auto& b) { return a.magnitude < b.magnitude; });
  const double n = static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].quantile = normal_quantile(0.5 + 0.5 * (static_cast<double>(i) + 0.5) / n);
  return points;
}

std::optional<LenthMargins> lenth(std::span<const double> effects, double confidence) {
  if (effects.size() < 3) return std::nullopt;
  std::vector<double> magnitudes;
  for (const double effect : effects) magnitudes.push_back(std::abs(effect));
  const double bound = 2.5 * 1.5 * median(magnitudes);
  std::vector<double> small;
  for (const double magnitude : magnitudes)
    if (magnitude < bound) small.push_back(magnitude);
  const double m = static_cast<double>(effects.size());
  LenthMargins margins;
  margins.pseudo_standard_error = small.empty() ? 0 : 1.5 * median(small);
  margins.degrees_of_freedom = m / 3;
  margins.margin = t_quantile((1 + confidence) / 2, m / 3) * margins.pseudo_standard_error;
  margins.simultaneous_margin =
      t_quantile((1 + std::pow(confidence, 1 / m)) / 2, m / 3) * margins.pseudo_standard_error;
  return margins;
}

}  // namespace trl::statistics
