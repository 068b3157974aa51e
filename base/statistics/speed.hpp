// Speed-ups of candidates: contrasts without survivorship, and profiles.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/estimate.hpp"

namespace trl::statistics {

/// The ratio of two rows' speed-ups on the tasks that both of them solve.
struct SpeedRatio {
  Estimate log_ratio;  ///< the mean over common tasks of the difference of the tasks' mean logarithms
  double ratio = 1;    ///< exp(log_ratio): > 1 if the first row's kernels are faster
  std::optional<Interval> interval;  ///< of the ratio
  /// How many tasks both rows of a pair solve, only the first, and only the second; the sums over pairs.
  std::size_t common_tasks = 0, only_first = 0, only_second = 0;
};

/// Two rows whose speed-ups are compared, and how much the pair counts.
struct SpeedPair {
  const Observations *first = nullptr, *second = nullptr;
  double weight = 1;
};

/// Compares speed-ups by task: rows hold logarithms of the speed-ups of their correct samples. A row's mean
/// over all that it solves rises or falls with which tasks it solves (survivorship); the common tasks count
/// alike in both rows, for any number of samples that solve them. If seeds are shared, a task counts where
/// both rows solve it under the same seed. Weighting and pooled seeds in options aren't used. Nothing without
/// common tasks.
std::optional<SpeedRatio> speed_ratio(const Observations& first, const Observations& second,
                                      const EstimateOptions& options = {});

/// The weighted mean of the pairs' logarithms of the ratio, each on the tasks that are common to its own two
/// rows. A row that is in several pairs, such as a control, is known by its address and varies as one. Pairs
/// without common tasks are left out. `same` is the weight of pairs whose rows are one, with a ratio of 1.
std::optional<SpeedRatio> speed_ratio(std::span<const SpeedPair> pairs, double same = 0,
                                      const EstimateOptions& options = {});

/// A sample with its speed-up over the reference, if it is correct.
struct TimedSample {
  std::size_t task = 0, seed = 0;
  std::optional<double> speed_up;
};

enum class Band {
  pointwise,  ///< each threshold's interval covers by itself
  simultaneous,  ///< all thresholds' intervals cover together, by Bonferroni: each is at 1 − (1 − confidence)
                 ///< / thresholds
};

/// fast_p (Ouyang et al. 2025) at each threshold: the share of samples that are correct and more than so many
/// times as fast as the reference, with intervals as of `share_level`. As a function of the threshold it is a
/// profile in the sense of Dolan and Moré (2002), with the reference in the place of the best solver. Samples
/// that aren't correct count as not fast. Empty without samples.
std::vector<Estimate> fast_profile(std::size_t tasks, std::size_t seeds, std::span<const TimedSample> samples,
                                   std::span<const double> thresholds, Band band,
                                   const EstimateOptions& options = {});

}  // namespace trl::statistics
