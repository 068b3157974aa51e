// The curve of fast_p over p. fast_p is the share of a row's answers that are correct and more than p times
// as fast as the reference.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"
#include "interpreter/report/plot.hpp"

namespace trl::interpreter {

/// A point for each row of the plan and each p from 1/4 to 8, where each p is √2 times the last; `x` is
/// log2(p). The intervals of a row's points are a simultaneous confidence band at 95 %.
std::vector<PlotPoint> fast_profile(const Evidence& evidence);

/// CSV with the columns row, p, share, n, low, high, about.
std::string fast_profile_csv(const std::vector<PlotPoint>& points);

/// The picture `name` of the curves, with a panel for each row; empty if there are no points.
Picture fast_profile_picture(const std::vector<PlotPoint>& points, const std::string& name, bool measured);

}  // namespace trl::interpreter
