// Draws a table as an SVG picture that is legible on light and dark pages.
#pragma once

#include <string>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// The colours of rows in plots and pictures: blue and vermilion of the palette of Okabe and Ito, which
/// colour-blind readers can tell apart, and grey.
constexpr const char *cell_colour = "#0072B2", *control_colour = "#D55E00", *other_colour = "#c4c4c4";

/// Draws every figure with its interval as numbers and, if the unit is a share, on a line from 0 to 100 %.
/// `title` is printed above the table and `note` below it.
std::string as_svg(const Table& table, const std::string& title, const std::string& note);

}  // namespace trl::interpreter
