#include "tests/benchmarks/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "base/support/random.hpp"

namespace trl::statistics {
namespace {

/// The tasks and seeds that are resampled together, numbered in order.
struct Population {
  std::map<std::string, std::size_t> tasks;
  std::map<std::uint64_t, std::size_t> seeds;

  void add(const Measurement& measurement) {
    for (const auto& cluster : measurement.clusters)
      tasks.emplace(cluster.task, 0), seeds.emplace(cluster.seed, 0);
    std::size_t number = 0;
    for (auto& [task, at] : tasks) at = number++;
    number = 0;
    for (auto& [seed, at] : seeds) at = number++;
  }
};

Population population_of(const Measurement& measurement) {
  Population population;
  population.add(measurement);
  return population;
}

/// Clusters as a table indexed [seed][task].
struct Grid {
  std::size_t tasks = 0, seeds = 0;
  std::vector<double> sum, weight;
  bool geometric = false;

  Grid(const Measurement& measurement, const Population& population)
      : tasks(population.tasks.size()),
        seeds(population.seeds.size()),
        sum(tasks * seeds),
        weight(tasks * seeds),
        geometric(measurement.geometric) {
    for (const auto& cluster : measurement.clusters) {
      const auto place = population.seeds.at(cluster.seed) * tasks + population.tasks.at(cluster.task);
      sum[place] += cluster.sum, weight[place] += cluster.weight;
    }
  }

  std::optional<double> estimate(const std::vector<int>& task_counts,
                                 const std::vector<int>& seed_counts) const {
    double total = 0, all = 0;
    for (std::size_t s = 0; s < seeds; ++s)
      for (std::size_t t = 0; t < tasks; ++t) {
        const double times = double(seed_counts[s]) * task_counts[t];
        total += times * sum[s * tasks + t], all += times * weight[s * tasks + t];
      }
    if (all <= 0) return std::nullopt;
    return geometric ? std::exp(total / all) : total / all;
  }
};

/// How often each of n items is drawn in n draws with replacement.
std::vector<int> drawn_counts(RandomStream& stream, std::size_t n) {
  std::vector<int> counts(n, 0);
  for (std::size_t i = 0; i < n; ++i) ++counts[stream.below(n)];
  return counts;
}

/// Calls visit(task counts, seed counts) for each resample.
template <typename Visit>
void for_each_resample(std::size_t tasks, std::size_t seeds, Visit visit) {
  RandomStream task_stream("1/bootstrap/tasks/" + std::to_string(tasks));
  RandomStream seed_stream("1/bootstrap/seeds/" + std::to_string(seeds));
  const std::vector<int> once(seeds, 1);
  for (int b = 0; b < resamples; ++b) {
    const auto task_counts = drawn_counts(task_stream, tasks);
    visit(task_counts, seeds > 1 ? drawn_counts(seed_stream, seeds) : once);
  }
}

std::optional<double> standard_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

double Measurement::weight() const {
  double all = 0;
  for (const auto& cluster : clusters) all += cluster.weight;
  return all;
}

std::optional<double> Measurement::estimate() const {
  const Grid grid(*this, population_of(*this));
  return grid.estimate(std::vector<int>(grid.tasks, 1), std::vector<int>(grid.seeds, 1));
}

std::optional<Interval> percentile_interval(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t outside = values.size() / 40;
  return Interval{values[outside], values[values.size() - 1 - outside]};
}

std::optional<Interval> bootstrap(const Measurement& measurement) {
  const Grid grid(measurement, population_of(measurement));
  if (grid.tasks < 2 || measurement.weight() <= 0) return std::nullopt;
  std::vector<double> estimates;
  for_each_resample(grid.tasks, grid.seeds, [&](const auto& task_counts, const auto& seed_counts) {
    if (const auto estimate = grid.estimate(task_counts, seed_counts)) estimates.push_back(*estimate);
  });
  return percentile_interval(std::move(estimates));
}

std::optional<Contrast> paired_contrast(const std::vector<std::pair<Measurement, Measurement>>& pairs) {
  Population population;
  std::vector<const std::pair<Measurement, Measurement>*> measured;
  Contrast contrast;
  for (const auto& pair : pairs) {
    const auto with = pair.first.estimate(), without = pair.second.estimate();
    if (!with || !without) continue;
    contrast.estimate += *with - *without;
    population.add(pair.first), population.add(pair.second);
    measured.push_back(&pair);
  }
  if (measured.empty()) return std::nullopt;
  contrast.estimate /= static_cast<double>(measured.size());
  const auto tasks = population.tasks.size(), seeds = population.seeds.size();
  if (tasks < 2) return contrast;
  std::vector<std::pair<Grid, Grid>> grids;
  for (const auto* pair : measured)
    grids.emplace_back(Grid(pair->first, population), Grid(pair->second, population));
  std::vector<double> differences;
  for_each_resample(tasks, seeds, [&](const auto& task_counts, const auto& seed_counts) {
    double sum = 0;
    for (const auto& [on, off] : grids) {
      const auto with = on.estimate(task_counts, seed_counts),
                 without = off.estimate(task_counts, seed_counts);
      if (!with || !without) return;
      sum += *with - *without;
    }
    differences.push_back(sum / static_cast<double>(grids.size()));
  });
  contrast.standard_error = standard_deviation(differences);
  contrast.interval = percentile_interval(std::move(differences));
  return contrast;
}

std::optional<double> smallest_detectable(const Contrast& contrast) {
  constexpr double rounding = 1e-9;
  if (!contrast.standard_error || *contrast.standard_error < rounding) return std::nullopt;
  return (1.96 + 0.84) * *contrast.standard_error;
}

}  // namespace trl::statistics
