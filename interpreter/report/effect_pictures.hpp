// Pictures of effects.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/graphic.hpp"
#include "interpreter/report/hypothesis.hpp"

namespace trl::interpreter {

/// A forest plot: each effect and interaction on one column with its interval. A grey band shows the
/// differences that the study is too small to detect, and two vermilion lines the smallest effect that
/// matters to a hypothesis. Empty if no effect has a value.
Graphic forest(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
               const Column& column, std::size_t column_number,
               const std::vector<HypothesisResult>& hypotheses);

/// A half-normal plot (Daniel 1959) of all effects of a two-level design, with the margins of
/// Lenth (1989): effects that are noise lie on a line through 0. `effects` has pairs of name and value. Empty
/// for fewer than seven effects.
Graphic half_normal(const std::vector<std::pair<std::string, double>>& effects, const Column& column);

/// The mean figures of the cells at each combination of the levels of two factors.
struct InteractionPlot {
  std::string first, second;
  double means[2][2] = {};  ///< [level of first][level of second]
};
/// Interaction plots: a panel for each pair of factors with two lines, which are parallel if
/// the factors don't interact. Empty if there are no pairs.
Graphic interactions(const std::vector<InteractionPlot>& plots, const Column& column);

}  // namespace trl::interpreter
