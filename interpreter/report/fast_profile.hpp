// fast_p over p: which share of a row's answers is correct and more than p times as fast as the reference.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"
#include "interpreter/report/plot.hpp"

namespace trl::interpreter {

/// A point for each row of the plan and each p from 1/4 to 8, in steps of √2: `x` is log2(p). The bands of a
/// row cover all of its points together at 95 %.
std::vector<PlotPoint> fast_profile(const Evidence& evidence);

/// CSV with the columns row, p, share, n, low, high, about.
std::string fast_profile_csv(const std::vector<PlotPoint>& points);

/// The script for gnuplot: a panel for each row.
std::string fast_profile_script(const std::vector<PlotPoint>& points, const std::string& experiment,
                                bool measured);

}  // namespace trl::interpreter
