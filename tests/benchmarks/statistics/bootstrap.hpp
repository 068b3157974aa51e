// The percentile bootstrap, clustered by task and seed (Efron 1979; for clusters Field and Welsh 2007), with
// which `statistics` is compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/statistics/interval.hpp"

namespace trl::statistics {

/// The contribution of one task under one seed to a mean. The estimate of the mean is Σ sum / Σ weight over
/// all clusters, or its exponential if the mean is geometric.
struct Cluster {
  std::uint64_t seed = 0;
  std::string task;
  double sum = 0, weight = 0;
};

/// A mean over clusters; it is geometric if the sums are sums of logarithms.
struct Measurement {
  std::vector<Cluster> clusters;
  bool geometric = false;

  double weight() const;
  /// The mean; nothing if the weights are 0.
  std::optional<double> estimate() const;
};

inline constexpr int resamples = 2000;

/// The 95 % interval. Tasks are drawn with replacement, each with all its samples; seeds too if there are
/// several. The draws depend only on the numbers of tasks and seeds, so that rows over the same tasks are
/// resampled alike. Resamples of weight 0 are left out. Nothing for fewer than two tasks, or without an
/// estimate.
std::optional<Interval> bootstrap(const Measurement& measurement);

struct Contrast {
  double estimate = 0;
  std::optional<Interval> interval;
  std::optional<double> standard_error;  ///< the standard deviation over the resamples
};

/// The mean over pairs of estimate(on) − estimate(off), with the same resample for all. The tasks and seeds
/// of all measurements are resampled together; a task that one of them lacks has weight 0 there. Nothing if
/// no pair has both estimates.
std::optional<Contrast> paired_contrast(const std::vector<std::pair<Measurement, Measurement>>& pairs);

/// Returns the smallest true difference that a study with this standard error detects in 80 of 100
/// repetitions, tested two-sided at 5 %: (1.96 + 0.84) standard errors, by the normal approximation (Cohen
/// 1988; Bloom 1995). Nothing if all differences were equal, since their spread is then unknown, not 0.
std::optional<double> smallest_detectable(const Contrast& contrast);

/// Returns the 2.5 % and 97.5 % percentiles: of n sorted values, floor(n / 40) are outside of the interval on
/// either side. Nothing without values.
std::optional<Interval> percentile_interval(std::vector<double> values);

}  // namespace trl::statistics
