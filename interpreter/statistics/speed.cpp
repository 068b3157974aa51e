#include "interpreter/statistics/speed.hpp"

#include <algorithm>
#include <cmath>

namespace trl::statistics {
namespace {

bool solves(const Observations& row, std::size_t task) {
  if (task >= row.tasks()) return false;
  for (std::size_t s = 0; s < row.seeds(); ++s)
    if (row.count(task, s) > 0) return true;
  return false;
}

/// The mean of each cell as one sample, for the cells that `keep` names.
template <typename Keep>
Observations cell_means(const Observations& row, Keep keep) {
  Observations kept(row.tasks(), row.seeds());
  for (std::size_t t = 0; t < row.tasks(); ++t)
    for (std::size_t s = 0; s < row.seeds(); ++s)
      if (row.count(t, s) > 0 && keep(t, s)) kept.add(t, s, row.sum(t, s) / row.count(t, s));
  return kept;
}

}  // namespace

std::optional<SpeedRatio> speed_ratio(const Observations& first, const Observations& second,
                                      const EstimateOptions& options) {
  const auto common = [&](std::size_t t, std::size_t s) {
    if (!options.shared_seeds) return solves(first, t) && solves(second, t);
    const auto has = [&](const Observations& row) {
      return t < row.tasks() && s < row.seeds() && row.count(t, s) > 0;
    };
    return has(first) && has(second);
  };
  const auto one = cell_means(first, common), other = cell_means(second, common);
  EstimateOptions by_task = options;
  by_task.weighting = Weighting::by_task;
  by_task.seeds.reset();
  const Term terms[] = {{&one, 1}, {&other, -1}};
  const auto estimate = contrast(terms, by_task);
  if (!estimate) return std::nullopt;
  SpeedRatio out;
  out.log_ratio = *estimate;
  out.ratio = std::exp(estimate->value);
  if (estimate->interval)
    out.interval = Interval{std::exp(estimate->interval->low), std::exp(estimate->interval->high)};
  for (std::size_t t = 0; t < std::max(first.tasks(), second.tasks()); ++t) {
    const bool in_first = solves(first, t), in_second = solves(second, t);
    out.common_tasks += solves(one, t);
    out.only_first += in_first && !in_second, out.only_second += in_second && !in_first;
  }
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
  return profile;
}

}  // namespace trl::statistics
