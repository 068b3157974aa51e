#include "interpreter/report/effect_pictures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/statistics/factorial.hpp"
#include "interpreter/report/axes.hpp"
#include "interpreter/report/findings.hpp"

namespace trl::interpreter {
namespace {

/// Fewer effects form no line.
constexpr std::size_t fewest_effects = 7;

/// Converts a value to the axis' unit: points for shares, the ratio for factors.
double on_axis(const Column& column, double value) {
  return column.unit == Column::Unit::percent ? 100 * value : value;
}

std::string axis_title(const Column& column) {
  return column.title + (column.unit == Column::Unit::percent  ? ", points"
                         : column.unit == Column::Unit::factor ? ", ratio"
                                                               : "");
}

struct Line {
  std::string name;
  const Difference* difference;
  bool declared, effect;
  std::optional<double> smallest{};  ///< the smallest effect that matters to a hypothesis, on the axis
};

/// The smallest effect that a hypothesis about this effect and column names, if it is a difference of shares.
std::optional<double> smallest_of(const Effect& effect, const Column& column,
                                  const std::vector<HypothesisResult>& hypotheses) {
  for (const auto& hypothesis : hypotheses)
    if (column.unit == Column::Unit::percent && hypothesis.metric.title == column.title &&
        std::find(effect.declared.begin(), effect.declared.end(), hypothesis.name) != effect.declared.end() &&
        hypothesis.smallest_effect)
      return on_axis(column, *hypothesis.smallest_effect);
  return std::nullopt;
}

}  // namespace

Graphic forest(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
               const Column& column, std::size_t column_number,
               const std::vector<HypothesisResult>& hypotheses) {
  std::vector<Line> lines;
  std::vector<std::string> names;
  for (const auto& effect : effects)
    if (const auto& difference = effect.differences[column_number]) {
      lines.push_back({fmt::format("{} ({})", effect.comparison.name, declared_text(effect)), &*difference,
                       !effect.declared.empty(), true, smallest_of(effect, column, hypotheses)});
      names.push_back(lines.back().name);
    }
  for (const auto& interaction : interactions)
    if (interaction.difference) {
      lines.push_back({interaction.name, &*interaction.difference, false, false});
      names.push_back(lines.back().name);
    }
  if (lines.empty()) return {};
  names = shortened(names, 56);
  double names_width = 0;
  for (const auto& name : names) names_width = std::max(names_width, width_of_text(name));
  const bool ratio = column.unit == Column::Unit::factor;
  const double none = ratio ? 1 : 0;
  double lowest = none, highest = none;
  const auto interval_of = [&](const Line& line) {
    const auto& difference = *line.difference;
    const auto interval = difference.interval.value_or(Interval{difference.value, difference.value});
    return Interval{on_axis(column, interval.low), on_axis(column, interval.high)};
  };
  const auto detectable_of = [&](const Line& line) {
    const auto& least = line.difference->detectable;
    return least ? on_axis(column, ratio ? *least - 1 : *least) : 0.0;
  };
  for (const Line& line : lines) {
    const double beyond = std::max(detectable_of(line), line.smallest.value_or(0));
    lowest = std::min({lowest, interval_of(line).low, none - beyond});
    highest = std::max({highest, interval_of(line).high, none + beyond});
  }
  const double room = 0.4 * room_around(lowest, highest);
  // The picture is as wide as a column if the names leave 100 points for the panel, else as a page.
  const double whole = names_width + 100 <= narrow_picture ? narrow_picture : wide_picture,
               left = names_width + 10, line_height = 13, above = 6,
               height = line_height * static_cast<double>(lines.size());
  Graphic graphic(whole, above + height + 28);
  const Panel panel(graphic, left, above, whole - left - 10, height,
                    axis_of_amounts(lowest - room, highest + room, axis_title(column), false),
                    {-static_cast<double>(lines.size()) + 0.5, 0.5, {}, ""});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double middle = -static_cast<double>(i), least = detectable_of(lines[i]);
    if (least > 0)
      graphic.area({panel.at(none - least, middle + 0.36), panel.at(none + least, middle + 0.36),
                    panel.at(none + least, middle - 0.36), panel.at(none - least, middle - 0.36)},
                   "#ececec");
  }
  graphic.line({panel.at(none, 0.5), panel.at(none, 0.5 - static_cast<double>(lines.size()))},
               {soft_ink, 0.6});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double middle = -static_cast<double>(i);
    graphic.text({left - 6, panel.y(middle) + 0.35 * letter_size}, names[i], {.anchor = Anchor::end});
    if (lines[i].smallest)
      for (const double side : {-1.0, 1.0})
        graphic.line({panel.at(side * *lines[i].smallest, middle + 0.42),
                      panel.at(side * *lines[i].smallest, middle - 0.42)},
                     {control_colour, 1});
    const Interval interval = interval_of(lines[i]);
    graphic.line({panel.at(interval.low, middle), panel.at(interval.high, middle)}, {cell_colour, 1.2});
    graphic.dot(panel.at(on_axis(column, lines[i].difference->value), middle), 2, cell_colour,
                lines[i].declared);
  }
  panel.baseline();
  return graphic;
}

Graphic half_normal(const std::vector<std::pair<std::string, double>>& effects, const Column& column) {
  if (effects.size() < fewest_effects) return {};
  std::vector<double> values;
  for (const auto& [name, value] : effects) values.push_back(on_axis(column, value));
  const auto margins = statistics::lenth(values);
  const auto points = statistics::half_normal_plot(values);
  const double right = points.back().quantile * 1.08,
               largest = std::max(points.back().magnitude, margins->margin);
  Graphic graphic(narrow_picture, 176);
  const Panel panel(graphic, 40, 8, narrow_picture - 50, 138,
                    axis_of_amounts(0, right, "half-normal quantile", false),
                    axis_of_amounts(0, largest + room_around(0, largest),
                                    "size of the effect, " + axis_title(column), false));
  panel.frame(false);
  const double top = largest + room_around(0, largest), slope = margins->pseudo_standard_error,
               end = slope > 0 ? std::min(right, top / slope) : right;
  graphic.line({panel.at(0, 0), panel.at(end, slope * end)}, {rule_colour, 0.8, {1, 2}});
  graphic.line({panel.at(0, margins->margin), panel.at(right, margins->margin)}, {rule_colour, 0.8, {4, 2}});
  graphic.text({panel.x(0) + 4, panel.y(margins->margin) - 3}, "Lenth's margin", {.colour = soft_ink});
  for (const auto& point : points) {
    const Place place = panel.at(point.quantile, point.magnitude);
    graphic.dot(place, 1.6, cell_colour);
    graphic.text({place.x - 4, place.y - 2}, effects[point.effect].first,
                 {.anchor = Anchor::end, .size = small_letter_size});
  }
  return graphic;
}

Graphic interactions(const std::vector<InteractionPlot>& plots, const Column& column) {
  if (plots.empty()) return {};
  double lowest = 1e300, highest = -1e300;
  for (const auto& plot : plots)
    for (const auto& line : plot.means)
      for (const double mean : line)
        lowest = std::min(lowest, on_axis(column, mean)), highest = std::max(highest, on_axis(column, mean));
  const double room = room_around(lowest, highest);
  const PanelGrid grid(plots.size(), 42, 42, 0.7, 150, 38, 30);
  Graphic graphic = grid.graphic();
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const auto& plot = plots[i];
    Axis y = axis_of_amounts(lowest - room, highest + room, "", false);
    if (grid.begins_row(i))
      y.title = column.unit == Column::Unit::percent ? column.title + ", %" : column.title;
    const Panel panel = grid.panel(graphic, i, {-0.3, 1.3, {{0, "off"}, {1, "on"}}, plot.first}, y);
    panel.frame(true);
    panel.title(plot.first + " x " + plot.second);
    for (const int with : {0, 1}) {
      const char* colour = with ? cell_colour : control_colour;
      const Place off = panel.at(0, on_axis(column, plot.means[0][with])),
                  on = panel.at(1, on_axis(column, plot.means[1][with]));
      graphic.line({off, on}, {colour, 1.2, with ? std::vector<double>{} : std::vector<double>{4, 2}});
      for (const Place place : {off, on}) graphic.dot(place, 1.6, colour, with == 1);
    }
  }
  return graphic;
}

}  // namespace trl::interpreter
