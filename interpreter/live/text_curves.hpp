// Curves of a study in characters, for terminals.
#pragma once

#include <string>
#include <vector>

#include "interpreter/live/study.hpp"

namespace trl::interpreter {

/// Returns a heading for each series, and below it a line for each of its rows, at most six: its curve, its
/// last value and, with several seeds, the lowest and the highest value. All rows of a series have the same
/// scale. Lines have at most 80 columns. Without `unicode`, the first value stands in place of the curve.
std::string curves_text(const std::vector<LiveSeries>& series, bool unicode);

}  // namespace trl::interpreter
