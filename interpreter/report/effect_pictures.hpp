// Pictures of effects, as scripts for gnuplot.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/hypothesis.hpp"

namespace trl::interpreter {

/// A forest plot: each effect and interaction on one column with its interval, and as a grey band the
/// differences that the study is too small to find. Empty if nothing has a value.
std::string forest_script(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
                          const Column& column, std::size_t column_number, const std::string& title);

/// A half-normal plot (Daniel 1959) of all effects of a two-level design, by name and value, with Lenth's
/// (1989) margins: effects that are noise lie on a line through 0. Empty for fewer than seven effects.
std::string half_normal_script(const std::vector<std::pair<std::string, double>>& effects,
                               const Column& column, const std::string& title);

/// The means of the cells at the levels of two factors.
struct InteractionPlot {
  std::string first, second;
  double means[2][2] = {};  ///< [level of first][level of second]
};
/// A panel for each pair of factors: two lines that are parallel if the factors act by themselves. Empty
/// without pairs.
std::string interaction_script(const std::vector<InteractionPlot>& plots, const Column& column,
                               const std::string& title);

}  // namespace trl::interpreter
