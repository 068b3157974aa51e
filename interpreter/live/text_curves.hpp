// Curves of a study in characters, for terminals.
#pragma once

#include <string>
#include <vector>

#include "interpreter/live/study.hpp"

namespace trl::interpreter {

/// A heading for each series and a line for each of its rows: its curve on the series' scale, its last value
/// and, with several seeds, the lowest and the highest. At most 80 columns and six rows a series. Without
/// `unicode`, the first value stands in place of the curve.
std::string curves_text(const std::vector<LiveSeries>& series, bool unicode);

}  // namespace trl::interpreter
