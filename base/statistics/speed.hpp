// Comparisons of candidates' speed-ups that aren't biased by the choice of solved tasks (survivorship), and
// profiles of speed-ups.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/estimate.hpp"

namespace trl::statistics {

/// The ratio of two rows' speed-ups on the tasks that both rows solve.
struct SpeedRatio {
  /// The mean, over the tasks that both rows solve, of the difference of the rows' mean logarithms of the
  /// speed-up.
  Estimate log_ratio;
  double ratio = 1;                  ///< exp(log_ratio): > 1 if the first row's kernels are faster
  std::optional<Interval> interval;  ///< the interval of `ratio`
  /// The number of tasks that both rows of a pair solve (`common_tasks`), that only the first row solves, and
  /// that only the second row solves; for several pairs, the sums.
  std::size_t common_tasks = 0, only_first = 0, only_second = 0;
};

/// Two rows whose speed-ups are compared, and the weight of the pair.
struct SpeedPair {
  const Observations *first = nullptr, *second = nullptr;
  double weight = 1;
};

/// Compares speed-ups on the tasks that both rows solve; rows hold logarithms of the speed-ups of their
/// correct samples. The mean over all tasks that a row solves would depend on which tasks it solves
/// (survivorship). Each common task has the same weight in both rows, for any number of samples that solve
/// it. If seeds are shared, a task counts where both rows solve it under the same seed. Weighting and pooled
/// seeds in `options` are ignored. Nothing without common tasks.
std::optional<SpeedRatio> speed_ratio(const Observations& first, const Observations& second,
                                      const EstimateOptions& options = {});

/// The chain of training runs behind each row, as in `SharedRuns`.
using RunsOfRows = std::map<const Observations*, std::vector<std::size_t>>;

/// Returns the weighted mean of the pairs' log-ratios, each over the tasks that both rows of the pair solve.
/// A row that is in several pairs, such as a control, is recognised by its address, and its error enters
/// once. Pairs without common tasks are left out. `same` is the total weight of pairs that compare a row with
/// itself and so have a ratio of 1. If `runs` has the rows' chains, `spread_by_runs` over the rows of all
/// pairs gives the variance between runs; without several seeds for a row, `runs` is empty.
std::optional<SpeedRatio> speed_ratio(std::span<const SpeedPair> pairs, double same = 0,
                                      const EstimateOptions& options = {}, const RunsOfRows& runs = {});

/// A sample and, if it is correct, its speed-up over the reference.
struct TimedSample {
  std::size_t task = 0, seed = 0;
  std::optional<double> speed_up;
};

enum class Band {
  pointwise,     ///< each interval alone has the stated confidence
  simultaneous,  ///< all intervals together have the stated confidence, by Bonferroni: each has 1 − (1 −
                 ///< confidence) / number of thresholds. The band falls with the threshold, as the curve
                 ///< does.
};

/// Returns fast_p (Ouyang et al. 2025) for each threshold p: the share of samples that are correct and more
/// than p times as fast as the reference, with intervals as in `share_level`. As a function of the threshold
/// it is a performance profile (Dolan and Moré 2002), with the reference in place of the best solver. Samples
/// that aren't correct count as not fast. Empty without samples.
std::vector<Estimate> fast_profile(std::size_t tasks, std::size_t seeds, std::span<const TimedSample> samples,
                                   std::span<const double> thresholds, Band band,
                                   const EstimateOptions& options = {});

}  // namespace trl::statistics
