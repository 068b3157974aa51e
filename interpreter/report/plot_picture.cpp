// Draws learning curves as small multiples: many lines in one frame couldn't be distinguished.
#include <algorithm>
#include <cmath>

#include "interpreter/report/axes.hpp"
#include "interpreter/report/column.hpp"
#include "interpreter/report/plot.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

struct Line {
  std::string row;
  bool control = false;
  std::vector<const PlotPoint*> points;
};

/// Returns a line for each row, averaged over seeds if there are several; or with `by_seed`, for each seed of
/// a row.
std::vector<Line> lines_of(bool by_seed, const std::vector<PlotPoint>& points) {
  std::vector<Line> lines;
  for (const auto& point : points) {
    const std::string name =
        by_seed && point.seed ? fmt::format("{}, seed {}", point.row, *point.seed) : point.row;
    auto found = std::find_if(lines.begin(), lines.end(), [&](auto& line) { return line.row == name; });
    if (found == lines.end()) found = lines.insert(lines.end(), {name, point.control, {}});
    if (!point.seed && !found->points.empty() && found->points.front()->seed) found->points.clear();
    found->points.push_back(&point);
  }
  return lines;
}

/// The number of points: "6", or "5 to 6" if points differ.
std::string counts_text(const std::vector<Line>& lines) {
  int least = 0, most = 0;
  for (const auto& line : lines)
    for (const auto* point : line.points) {
      least = most ? std::min(least, point->n) : point->n;
      most = std::max(most, point->n);
    }
  return least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
}

std::string axis_title(Plot::Axis axis) {
  switch (axis) {
    case Plot::Axis::tokens:
      return "tokens sampled in training";
    case Plot::Axis::candidates:
      return "candidates sampled in training";
    case Plot::Axis::cost:
      return "seconds of training";
    case Plot::Axis::round:
      break;
  }
  return "round";
}

/// Draws a row's panel: grey lines of all rows, then this row's band, line and points.
void draw_panel(Graphic& graphic, const Panel& panel, const std::vector<Line>& lines, const Line& own) {
  const auto curve = [&](const Line& line) {
    std::vector<Place> places;
    for (const auto* point : line.points) places.push_back(panel.at(point->x, point->value));
    return places;
  };
  for (const Line& other : lines)
    if (&other != &own) graphic.line(curve(other), {other_colour, 0.6});
  const char* colour = own.control ? control_colour : cell_colour;
  std::vector<Place> band, back;
  for (const auto* point : own.points) {
    if (!point->interval) continue;
    band.push_back(panel.at(point->x, point->interval->high));
    back.push_back(panel.at(point->x, point->interval->low));
  }
  if (band.size() == 1) graphic.line({band[0], back[0]}, {colour, 0.8});
  band.insert(band.end(), back.rbegin(), back.rend());
  if (band.size() > 2) graphic.area(band, colour, 0.2);
  graphic.line(curve(own), {colour, 1.2});
  for (const Place place : curve(own)) graphic.dot(place, 1.3, colour);
}

/// Whether a measure of training answers depends on how extensions change their verification.
bool by_own_verifier(const Plot& plot) {
  return plot.column ? plot.column->by_own_verifier : plot.y.name == "reward";
}

}  // namespace

std::optional<Plot> judged_by_exam(const Plot& plot) {
  if (plot.on_dev || !by_own_verifier(plot)) return std::nullopt;
  Plot examined = plot;
  examined.name += ".exam";
  examined.column = column_of(ColumnName::purity);
  for (const auto& measure : plot_measures())
    if (measure.column == ColumnName::purity) examined.y = measure;
  return examined;
}

std::string plot_caption(const Plot& plot, const std::vector<PlotPoint>& points, bool measured) {
  const auto lines = lines_of(plot.by_seed, points);
  const bool intervals = std::any_of(points.begin(), points.end(), [](auto& p) { return p.interval; });
  const bool seeds = std::any_of(points.begin(), points.end(), [](auto& p) { return !p.seed; });
  std::string text = fmt::format("{}{}, n = {} {} a point", plot.y.title, plot.on_dev ? ", on dev" : "",
                                 counts_text(lines), plot.y.of);
  if (intervals)
    text +=
        seeds ? "; bands: 95 % over tasks and seeds" : "; bands: 95 % over tasks, of this training run only";
  if (plot.column && plot.column->needs == ColumnNeeds::kept_verdicts)
    text += "; every row by the exam's verifier";
  else if (!plot.on_dev && by_own_verifier(plot))
    text += "; each row by its own verifier";
  if (lines.size() > 1) text += "; grey: the other rows";
  const bool by_times = plot.column ? plot.column->of_times() : plot.y.name == "reward";
  return text + (by_times && !measured ? "; speedups are modelled, not measured" : "");
}

Picture plot_picture(const Plot& plot, const std::vector<PlotPoint>& points, bool measured) {
  double last = 1;
  for (const auto& point : points) last = std::max(last, point.x);
  // Round 0, the baseline before training, is missing in most plots.
  double first = plot.x == Plot::Axis::round ? 1 : 0;
  for (const auto& point : points) first = std::min(first, point.x);
  Axis x = plot.x == Plot::Axis::round
               ? axis_of_counts(static_cast<int>(first), static_cast<int>(last), 0.3, axis_title(plot.x))
               : axis_of_amounts(first, last, axis_title(plot.x));
  std::string y_title = plot.y.name;
  std::replace(y_title.begin(), y_title.end(), '_', ' ');
  return {plot.name, plot.name + ": " + plot_caption(plot, points, measured) + ".",
          panels(points, plot.by_seed, x, y_title)};
}

Graphic panels(const std::vector<PlotPoint>& points, bool by_seed, Axis x, const std::string& y_title) {
  const auto lines = lines_of(by_seed, points);
  double highest = 0, lowest = 0;
  for (const auto& line : lines)
    for (const auto* point : line.points) {
      highest = std::max({highest, point->value, point->interval ? point->interval->high : 0});
      lowest = std::min({lowest, point->value, point->interval ? point->interval->low : 0});
    }
  const Axis y = axis_of_amounts(lowest, highest, "");
  double numbers = 0;
  for (const auto& [value, text] : y.ticks) numbers = std::max(numbers, width_of_text(text));
  const PanelGrid grid(lines.size(), numbers + 20, numbers + 12, 0.62, wide_picture, 34, 26);
  Graphic graphic = grid.graphic();
  std::vector<std::string> names;
  for (const auto& line : lines) names.push_back(line.row);
  names = shortened(names, static_cast<std::size_t>(grid.width / (0.54 * letter_size)));
  const std::string x_title = x.title;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    x.title = grid.ends_column(i) ? x_title : "";
    Axis named = y;
    if (grid.begins_row(i)) named.title = y_title;
    const Panel panel = grid.panel(graphic, i, x, named);
    panel.frame(true);
    panel.title(names[i]);
    draw_panel(graphic, panel, lines, lines[i]);
  }
  return graphic;
}

}  // namespace trl::interpreter
