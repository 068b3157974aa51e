#include "base/statistics/speed.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace trl::statistics {
namespace {

bool solves(const Observations& row, std::size_t task) {
  if (task >= row.tasks()) return false;
  for (std::size_t s = 0; s < row.seeds(); ++s)
    if (row.count(task, s) > 0) return true;
  return false;
}

/// Returns a row in which each cell that `keep` accepts has one sample, the cell's mean.
template <typename Keep>
Observations cell_means(const Observations& row, Keep keep) {
  Observations kept(row.tasks(), row.seeds());
  for (std::size_t t = 0; t < row.tasks(); ++t)
    for (std::size_t s = 0; s < row.seeds(); ++s)
      if (row.count(t, s) > 0 && keep(t, s)) kept.add(t, s, row.sum(t, s) / row.count(t, s));
  return kept;
}

/// Narrows the band by using that the curve falls with the threshold. If all intervals cover the curve, then
/// at each threshold it lies below the upper ends at smaller thresholds, and above the lower ends at larger
/// thresholds.
void make_monotone(std::span<const double> thresholds, std::vector<Estimate>& profile) {
  if (profile.size() != thresholds.size()) return;
  for (std::size_t i = 0; i < profile.size(); ++i)
    for (std::size_t j = 0; j < profile.size(); ++j) {
      if (!profile[i].interval || !profile[j].interval) continue;
      if (thresholds[j] < thresholds[i])
        profile[i].interval->high = std::min(profile[i].interval->high, profile[j].interval->high);
      if (thresholds[j] > thresholds[i])
        profile[i].interval->low = std::max(profile[i].interval->low, profile[j].interval->low);
    }
}

}  // namespace

std::optional<SpeedRatio> speed_ratio(const Observations& first, const Observations& second,
                                      const EstimateOptions& options) {
  const SpeedPair pair{&first, &second, 1};
  return speed_ratio({&pair, 1}, 0, options);
}

std::optional<SpeedRatio> speed_ratio(std::span<const SpeedPair> pairs, double same,
                                      const EstimateOptions& options, const RunsOfRows& runs) {
  SpeedRatio out;
  std::vector<const Observations*> order;
  std::map<const Observations*, Scores> merged;
  std::map<const Observations*, double> weights;
  double weight = 0;
  const auto add = [&](const Observations* row, const Scores& scores, double factor) {
    if (merged.try_emplace(row).second) order.push_back(row);
    add_scores(merged[row], scores, factor), weights[row] += factor;
  };
  for (const auto& pair : pairs) {
    const auto &first = *pair.first, &second = *pair.second;
    const auto common = [&](std::size_t t, std::size_t s) {
      if (!options.shared_seeds) return solves(first, t) && solves(second, t);
      const auto has = [&](const Observations& row) {
        return t < row.tasks() && s < row.seeds() && row.count(t, s) > 0;
      };
      return has(first) && has(second);
    };
    const auto one = cell_means(first, common), other = cell_means(second, common);
    for (std::size_t t = 0; t < std::max(first.tasks(), second.tasks()); ++t) {
      const bool in_first = solves(first, t), in_second = solves(second, t);
      out.common_tasks += solves(one, t);
      out.only_first += in_first && !in_second, out.only_second += in_second && !in_first;
    }
    const auto scores = scores_of(one, Weighting::by_task), others = scores_of(other, Weighting::by_task);
    if (!scores || !others) continue;
    weight += pair.weight;
    add(pair.first, *scores, pair.weight), add(pair.second, *others, -pair.weight);
  }
  if (weight <= 0) return std::nullopt;
  std::vector<Scores> rows;
  std::vector<double> coefficients;
  SharedRuns chains;
  double value = 0;
  for (const auto* row : order) {
    value += merged[row].mean;
    // With `runs`, each row is divided by its weight, so that it is a mean and the runs of all rows have
    // comparable variances. A row whose weights as the first and as the second row of pairs add up to 0 has
    // no coefficient, and keeps its scores.
    constexpr double rounding = 1e-9;
    const double own = !runs.empty() && std::abs(weights[row]) > rounding ? weights[row] : 1;
    rows.emplace_back(), add_scores(rows.back(), merged[row], 1 / own);
    coefficients.push_back(own / (weight + same));
    if (const auto chain = runs.find(row); chain != runs.end()) chains.push_back(chain->second);
  }
  const bool chained = !runs.empty() && chains.size() == rows.size();
  const auto spread = chained ? spread_by_runs(rows, coefficients, chains)
                              : spread_of(rows, coefficients, options.shared_seeds);
  out.log_ratio = estimate_of(value / (weight + same), spread, options.confidence);
  out.ratio = std::exp(out.log_ratio.value);
  if (const auto& interval = out.log_ratio.interval)
    out.interval = Interval{std::exp(interval->low), std::exp(interval->high)};
  return out;
}

std::vector<Estimate> fast_profile(std::size_t tasks, std::size_t seeds, std::span<const TimedSample> samples,
                                   std::span<const double> thresholds, Band band,
                                   const EstimateOptions& options) {
  EstimateOptions each = options;
  if (band == Band::simultaneous && !thresholds.empty())
    each.confidence = 1 - (1 - options.confidence) / static_cast<double>(thresholds.size());
  std::vector<Estimate> profile;
  for (const double threshold : thresholds) {
    Observations fast(tasks, seeds);
    for (const auto& sample : samples)
      fast.add(sample.task, sample.seed, sample.speed_up && *sample.speed_up > threshold);
    if (const auto estimate = share_level(fast, each)) profile.push_back(*estimate);
  }
  if (band == Band::simultaneous) make_monotone(thresholds, profile);
  return profile;
}

}  // namespace trl::statistics
