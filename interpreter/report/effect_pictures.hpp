// Pictures of effects, as scripts for gnuplot.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/hypothesis.hpp"

namespace trl::interpreter {

/// The script of a forest plot: each effect and interaction on one column with its interval. A grey band
/// shows the differences that the study is too small to detect. Empty if no effect has a value.
std::string forest_script(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
                          const Column& column, std::size_t column_number, const std::string& title);

/// The script of a half-normal plot (Daniel 1959) of all effects of a two-level design, with the margins of
/// Lenth (1989): effects that are noise lie on a line through 0. `effects` has pairs of name and value. Empty
/// for fewer than seven effects.
std::string half_normal_script(const std::vector<std::pair<std::string, double>>& effects,
                               const Column& column, const std::string& title);

/// The mean figures of the cells at each combination of the levels of two factors.
struct InteractionPlot {
  std::string first, second;
  double means[2][2] = {};  ///< [level of first][level of second]
};
/// The script of interaction plots: a panel for each pair of factors with two lines, which are parallel if
/// the factors don't interact. Empty if there are no pairs.
std::string interaction_script(const std::vector<InteractionPlot>& plots, const Column& column,
                               const std::string& title);

}  // namespace trl::interpreter
