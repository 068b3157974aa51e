// Draws a table as an SVG picture that is legible on light and dark pages.
#pragma once

#include <string>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// Draws every figure with its interval as numbers and, if the unit is a share, on a line from 0 to 100 %.
/// `title` is printed above the table and `note` below it.
std::string as_svg(const Table& table, const std::string& title, const std::string& note);

}  // namespace trl::interpreter
