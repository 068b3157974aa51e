// A table as a picture: SVG of its own, legible on light and dark pages.
#pragma once

#include <string>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// Every figure with its interval as numbers and, where the unit is a share, drawn on a line from 0 to 100 %.
/// `title` stands above, `note` below.
std::string as_svg(const Table& table, const std::string& title, const std::string& note);

}  // namespace trl::interpreter
