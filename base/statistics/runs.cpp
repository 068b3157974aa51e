#include "base/statistics/runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace trl::statistics {
namespace {

using Vector = std::vector<double>;
/// The group of each unit.
using Partition = std::vector<std::size_t>;

/// A mean square of the nested analysis of variance, in the units of the variance of a mean over the seeds.
struct Stratum {
  std::vector<Vector> basis;  ///< orthonormal contrasts of units
  double seeds = 0, interaction = 0;
  double freedom = 0, interaction_freedom = 0;  ///< of seeds and of interaction
};

double product(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector indicator(const Partition& partition, std::size_t group) {
  Vector out;
  for (const auto one : partition) out.push_back(one == group ? 1 : 0);
  return out;
}

/// Numbers the keys by their first occurrence; equal keys get the same number.
template <typename Key>
Partition numbered(const std::vector<Key>& keys) {
  std::map<Key, std::size_t> numbers;
  Partition out;
  for (const auto& key : keys) out.push_back(numbers.try_emplace(key, numbers.size()).first->second);
  return out;
}

std::size_t groups_of(const Partition& partition) {
  return partition.empty() ? 0 : *std::max_element(partition.begin(), partition.end()) + 1;
}

/// Returns partitions of the units, one for each depth: units that share their runs up to this depth are in
/// one group. Depths that separate no further units are left out. In the last partition each unit is a group
/// by itself.
std::vector<Partition> partitions_of(const SharedRuns& chains, std::size_t units) {
  std::vector<Partition> out;
  std::size_t depths = 0;
  for (const auto& chain : chains) depths = std::max(depths, chain.size());
  for (std::size_t depth = 1; depth < depths; ++depth) {
    std::vector<std::vector<std::size_t>> prefixes;
    for (std::size_t unit = 0; unit < units; ++unit) {
      auto& prefix = prefixes.emplace_back(chains[unit]);
      // A chain that ends before this depth is separated from chains that go on.
      if (depth < prefix.size())
        prefix.resize(depth);
      else
        prefix.push_back(unit), prefix.resize(depths + 1, 0);
    }
    auto partition = numbered(prefixes);
    const auto groups = groups_of(partition);
    if (groups < units && (out.empty() || groups > groups_of(out.back())))
      out.push_back(std::move(partition));
  }
  Partition alone(units);
  std::iota(alone.begin(), alone.end(), std::size_t{0});
  out.push_back(std::move(alone));
  return out;
}

/// Σ over groups of (Σ value)².
double exposed(const Vector& values, const Partition& partition) {
  Vector sums(groups_of(partition), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[partition[i]] += values[i];
  return product(sums, sums);
}

/// Makes a stratum for each partition. Its mean squares are 0; `measure` computes them.
std::vector<Stratum> strata_of(const std::vector<Partition>& partitions) {
  std::vector<Stratum> strata;
  std::vector<Vector> basis;
  for (const auto& partition : partitions) {
    const auto before = basis.size();
    for (std::size_t group = 0; group < groups_of(partition); ++group)
      extend_basis(basis, indicator(partition, group));
    strata.emplace_back().basis.assign(basis.begin() + static_cast<std::ptrdiff_t>(before), basis.end());
  }
  return strata;
}

/// Returns the scores of a contrast of units. Seeds with the same index are paired.
Scores scores_of_contrast(const std::vector<Scores>& units, const Vector& contrast) {
  Scores sum;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (contrast[i] != 0) add_scores(sum, units[i], contrast[i]);
  return sum;
}

Spread spread_of_contrast(const Scores& scores) {
  constexpr double once[] = {1};
  return spread_of({&scores, 1}, once, true);
}

/// Returns the factor by which contrasts of a stratum have fewer degrees of freedom together than if they
/// were independent and varied alike: Box's epsilon (1954) of their deviations in single cells, without its
/// bias (Huynh and Feldt 1976). If all contrasts are multiples of one, it is 1 over their number. The
/// deviations' mean squares have `freedom` degrees of freedom.
double sphericity(const std::vector<Vector>& deviations, double freedom) {
  double trace = 0, squares = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    trace += product(deviations[i], deviations[i]);
    for (const auto& other : deviations) squares += std::pow(product(deviations[i], other), 2);
  }
  if (trace <= 0 || freedom <= 1) return 1;
  const double unbiased =
      freedom * freedom / ((freedom - 1) * (freedom + 2)) * (squares - trace * trace / freedom);
  const double dimensions = static_cast<double>(deviations.size());
  return unbiased > 0 ? std::clamp(trace * trace / (dimensions * unbiased), 1 / dimensions, 1.0) : 1;
}

void measure(Stratum& stratum, const std::vector<Scores>& units) {
  std::vector<Vector> cells;
  for (const auto& contrast : stratum.basis) {
    auto scores = scores_of_contrast(units, contrast);
    const auto spread = spread_of_contrast(scores);
    stratum.seeds += spread.seeds, stratum.interaction += spread.interaction;
    stratum.freedom += spread.seeds_freedom;
    stratum.interaction_freedom = spread.seeds_freedom * spread.tasks_freedom;
    cells.push_back(std::move(scores.cells));
  }
  const double dimensions = static_cast<double>(stratum.basis.size());
  if (dimensions > 0) stratum.seeds /= dimensions, stratum.interaction /= dimensions;
  stratum.freedom *= sphericity(cells, stratum.interaction_freedom);
}

/// For the part of a contrast in a stratum: returns its variance in single cells (the interaction), divided
/// by the average over the stratum's contrasts. The result is at least 1 over the degrees of freedom, since
/// equal outcomes of some rows don't prove that their runs never differ.
double disagreement(const Stratum& stratum, const Vector& contrast, const std::vector<Scores>& units) {
  Vector part(contrast.size(), 0.0);
  for (const auto& one : stratum.basis) {
    const double along = product(one, contrast);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] += along * one[i];
  }
  const double length = product(part, part);
  constexpr double rounding = 1e-9;
  if (length < rounding || stratum.interaction <= 0) return 1;
  const auto own = spread_of_contrast(scores_of_contrast(units, part)).interaction;
  return std::max(own / length / stratum.interaction, 1 / std::max(1.0, stratum.interaction_freedom));
}

/// Returns the coefficient with which the variance between runs at one depth enters a stratum's mean square.
double held(const Stratum& stratum, const Partition& depth) {
  double sum = 0;
  for (const auto& one : stratum.basis) sum += exposed(one, depth);
  return sum / std::max(1.0, static_cast<double>(stratum.basis.size()));
}

/// Returns the weights with which the strata's mean squares are added to give the variance of the contrast.
/// With these weights the expected value is right for any variances at the depths. A mean square contains the
/// variance of its own depth and of later depths.
Vector weights_of(const Vector& contrast, const std::vector<Partition>& partitions,
                  const std::vector<Stratum>& strata) {
  Vector weights;
  for (std::size_t depth = 0; depth < partitions.size(); ++depth) {
    double wanted = exposed(contrast, partitions[depth]);
    for (std::size_t earlier = 0; earlier < depth; ++earlier)
      wanted -= weights[earlier] * held(strata[earlier], partitions[depth]);
    const double own = held(strata[depth], partitions[depth]);
    constexpr double rounding = 1e-9;
    weights.push_back(own > rounding && wanted > rounding ? wanted / own : 0);
  }
  return weights;
}

}  // namespace

std::vector<double> exposure_of(std::span<const double> coefficients, const SharedRuns& runs) {
  std::vector<double> exposure;
  for (std::size_t depth = 0;; ++depth) {
    std::map<std::size_t, double> by_run;
    for (std::size_t row = 0; row < runs.size(); ++row)
      if (depth < runs[row].size()) by_run[runs[row][depth]] += coefficients[row];
    if (by_run.empty()) return exposure;
    double sum = 0;
    for (const auto& [run, coefficient] : by_run) sum += coefficient * coefficient;
    exposure.push_back(sum);
  }
}

std::vector<std::size_t> distinct_runs(const SharedRuns& runs, std::size_t rows) {
  std::vector<std::pair<bool, std::size_t>> last;
  for (std::size_t row = 0; row < rows; ++row)
    last.emplace_back(row < runs.size() && !runs[row].empty(), last.size());
  for (std::size_t row = 0; row < rows; ++row)
    if (last[row].first) last[row].second = runs[row].back();
  return numbered(last);
}

std::vector<double> coefficients_of_runs(std::span<const double> coefficients,
                                         std::span<const std::size_t> run_of_row) {
  std::vector<double> out;
  for (std::size_t row = 0; row < coefficients.size(); ++row) {
    out.resize(std::max(out.size(), run_of_row[row] + 1), 0.0);
    out[run_of_row[row]] += coefficients[row];
  }
  return out;
}

bool extend_basis(std::vector<Vector>& basis, Vector vector) {
  constexpr double rounding = 1e-9;
  for (const auto& one : basis) {
    const double along = product(one, vector);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= along * one[i];
  }
  const double length = std::sqrt(product(vector, vector));
  if (length < rounding) return false;
  for (double& value : vector) value /= length;
  basis.push_back(std::move(vector));
  return true;
}

namespace {

/// The rows without twins: the first row of each run, with the run's coefficient and its chain.
struct Units {
  std::vector<std::size_t> rows;
  Vector contrast;
  SharedRuns chains;
};

Units units_of(std::span<const double> coefficients, const SharedRuns& runs) {
  Units units;
  const auto run_of_row = distinct_runs(runs, coefficients.size());
  units.contrast = coefficients_of_runs(coefficients, run_of_row);
  for (std::size_t row = 0; row < coefficients.size(); ++row)
    if (run_of_row[row] == units.rows.size()) {
      units.rows.push_back(row);
      units.chains.push_back(row < runs.size() ? runs[row] : std::vector<std::size_t>());
    }
  return units;
}

/// Satterthwaite's degrees of freedom of a sum of mean squares.
struct Sum {
  double value = 0, squares = 0, freedom = 0;
  void add(double part, double degrees) {
    value += part, squares += part * part / degrees, freedom += degrees;
  }
  double degrees() const { return squares > 0 ? value * value / squares : freedom; }
};

}  // namespace

Spread spread_by_runs(std::span<const Scores> rows, std::span<const double> coefficients,
                      const SharedRuns& runs) {
  auto spread = spread_of(rows, coefficients, true);  // For the tasks' part.
  spread.seeds = spread.interaction = spread.seeds_freedom = 0;
  const auto units = units_of(coefficients, runs);
  std::vector<Scores> repeated;
  SharedRuns chains;
  Vector contrast;
  for (std::size_t i = 0; i < units.rows.size(); ++i) {
    constexpr double rounding = 1e-12;
    if (rows[units.rows[i]].observed_seeds < 2) {
      if (std::abs(units.contrast[i]) > rounding) return spread;
      continue;
    }
    repeated.push_back(rows[units.rows[i]]), chains.push_back(units.chains[i]);
    contrast.push_back(units.contrast[i]);
  }
  const auto partitions = partitions_of(chains, repeated.size());
  auto strata = strata_of(partitions);
  const auto weights = weights_of(contrast, partitions, strata);
  Sum sum;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    if (weights[i] <= 0) continue;
    measure(strata[i], repeated);
    if (strata[i].freedom <= 0) continue;
    const double weight = weights[i] * disagreement(strata[i], contrast, repeated);
    spread.interaction += weight * strata[i].interaction;
    // The weight is also estimated, which reduces the degrees of freedom.
    sum.add(weight * strata[i].seeds,
            1 / (1 / strata[i].freedom + 1 / std::max(1.0, strata[i].interaction_freedom)));
  }
  spread.seeds = sum.value, spread.seeds_freedom = sum.degrees();
  if (spread.seeds_freedom > 0) spread.least_share = std::min(1.0, 1 / spread.seeds_freedom);
  return spread;
}

double freedom_for_each_seed(std::span<const double> coefficients, const SharedRuns& runs) {
  const auto units = units_of(coefficients, runs);
  const auto partitions = partitions_of(units.chains, units.rows.size());
  const auto strata = strata_of(partitions);
  const auto weights = weights_of(units.contrast, partitions, strata);
  Sum sum;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    double mean_square = 0;
    for (const auto& depth : partitions) mean_square += held(strata[i], depth);
    if (weights[i] > 0) sum.add(weights[i] * mean_square, static_cast<double>(strata[i].basis.size()));
  }
  return sum.degrees();
}

}  // namespace trl::statistics
