// Draws learning curves as small multiples, since many lines in one frame can't be told apart.
#include <algorithm>
#include <cmath>
#include <map>

#include "interpreter/report/column.hpp"
#include "interpreter/report/gnuplot.hpp"
#include "interpreter/report/picture.hpp"
#include "interpreter/report/plot.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr int left = 62, panel_width = 190, gap = 58, across = 3, panel_height = 120, above = 112,
              line_height = 18, between = 72, below = 58;

struct Line {
  std::string row;
  bool control = false;
  std::vector<const PlotPoint*> points;
};

/// A line for each row, over all seeds if there are several, or one for each seed of a row.
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

/// 1, 2 or 5 times a power of ten such that at most five steps reach `top`.
double tick_step(double top) {
  if (top <= 0) return 0.25;
  const double power = std::pow(10, std::floor(std::log10(top / 5)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (5 * step * power >= top * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/// "750", "1.5k", "20k", "3M".
std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

/// The first tick of an axis of amounts that isn't less than the last point.
double last_tick(double last) {
  const double step = tick_step(last);
  return step * std::ceil(last / step * (1 - 1e-9));
}

/// At most seven rounds, or up to six round numbers of what training takes, the last beyond the last point.
std::string x_tics(Plot::Axis axis, double last) {
  if (axis == Plot::Axis::round)
    return fmt::format("set xtics {}\n", std::max(1, (static_cast<int>(last) + 5) / 6));
  const double step = tick_step(last);
  std::string text;
  for (int i = 0; i * step <= last_tick(last) * (1 + 1e-9); ++i)
    text += fmt::format("{}{} {:.9g}", text.empty() ? "" : ", ", gnuplot_quoted(short_number(i * step)),
                        i * step);
  return "set xtics (" + text + ")\n";
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

/// The parts of a caption between semicolons, on as few lines as the picture is wide.
std::vector<std::string> caption_lines(const std::string& caption) {
  constexpr std::size_t longest = 110;
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= caption.size();) {
    const auto to = std::min(caption.find("; ", from), caption.size());
    const auto part = caption.substr(from, to - from);
    if (lines.empty() || lines.back().size() + 2 + part.size() > longest)
      lines.push_back(part);
    else
      lines.back() += "; " + part;
    from = to + 2;
  }
  return lines;
}

std::string data_block(std::size_t number, const Line& line) {
  std::string text = fmt::format("$row{} << END\n", number);
  for (const auto* point : line.points)
    text += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", point->x, point->value,
                        point->interval ? point->interval->low : point->value,
                        point->interval ? point->interval->high : point->value);
  return text + "END\n";
}

/// The panel of a row: grey lines of all rows, then this row's band, line and points.
std::string panel(const std::vector<Line>& lines, std::size_t number) {
  const char* colour = lines[number].control ? control_colour : cell_colour;
  std::string text = "plot ";
  for (std::size_t other = 0; other < lines.size(); ++other)
    if (other != number)
      text += fmt::format("$row{} using 1:2 with lines lc rgb \"{}\" lw 1, ", other, other_colour);
  return text +
         fmt::format(
             "$row{0} using 1:3:4 with filledcurves fc rgb \"{1}\" fs transparent solid 0.22 noborder, "
             "$row{0} using 1:3:(0):($4-$3) with vectors nohead lc rgb \"{1}\" lw 1, "
             "$row{0} using 1:2 with linespoints lc rgb \"{1}\" lw 2 pt 7 ps 0.5\n",
             number, colour);
}

/// Whether a measure of training answers depends on what extensions make of their verification.
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

std::string plot_caption(const Plot& plot, const std::vector<PlotPoint>& points) {
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
  return text;
}

std::string plot_script(const Plot& plot, const std::vector<PlotPoint>& points, const std::string& experiment,
                        bool measured) {
  double first = plot.x == Plot::Axis::round ? 1 : 0, last = 1;
  for (const auto& point : points) first = std::min(first, point.x), last = std::max(last, point.x);
  const double margin = plot.x == Plot::Axis::round ? 0.3 : 0.04 * last;
  const bool by_times = plot.column ? plot.column->of_times() : plot.y.name == "reward";
  PanelFrame frame;
  frame.name = experiment + "_" + plot.name, frame.heading = experiment + ": " + plot.name;
  frame.caption = plot_caption(plot, points);
  frame.note = by_times && !measured ? "grey: the other rows; speedups are modelled, not measured"
                                     : "grey: the other rows";
  frame.x_title = axis_title(plot.x), frame.x_tics = x_tics(plot.x, last);
  frame.x_low = first - margin;
  frame.x_high = margin + (plot.x == Plot::Axis::round ? last : last_tick(last));
  return panels_script(points, plot.by_seed, frame);
}

std::string panels_script(const std::vector<PlotPoint>& points, bool by_seed, const PanelFrame& frame) {
  const auto lines = lines_of(by_seed, points);
  double highest = 0, lowest = 0;
  for (const auto& line : lines)
    for (const auto* point : line.points) {
      highest = std::max({highest, point->value, point->interval ? point->interval->high : 0});
      lowest = std::min({lowest, point->value, point->interval ? point->interval->low : 0});
    }
  if (highest == lowest) highest = 1;  // all is 0, and gnuplot draws no empty range
  const double step = tick_step(highest - lowest);
  const int panels = static_cast<int>(lines.size());
  const int rows = std::max(1, (panels + across - 1) / across);
  const int width = left + across * panel_width + (across - 1) * gap + 20;
  const auto caption = caption_lines(frame.caption);
  const int first_panel = above + static_cast<int>(caption.size() - 1) * line_height;
  const int height = first_panel + rows * panel_height + (rows - 1) * between + below;
  const auto x = [&](double pixels) { return pixels / width; };
  const auto y = [&](double pixels) { return 1 - pixels / height; };

  std::string text = svg_terminal(frame.name, width, height);
  for (std::size_t i = 0; i < lines.size(); ++i) text += data_block(i, lines[i]);
  text += "set multiplot\nunset key\nset border 3 lc rgb \"#888888\"\n";
  text += "set tics nomirror textcolor rgb \"#333333\"\nset tics scale 0.5\n";
  text += "set grid ytics lt 1 lc rgb \"#e6e6e6\"\n";
  text += fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", frame.x_low, frame.x_high,
                      step * std::floor(lowest / step), step * std::ceil(highest / step - 1e-9));
  text += frame.x_tics + fmt::format("set ytics {:.9g}\n", step);
  text += fmt::format("set label 1 {} at screen {:.5f},{:.5f} font \"sans-serif,16\"\n",
                      gnuplot_quoted(frame.heading), x(16), y(22));
  for (std::size_t i = 0; i < caption.size(); ++i)
    text += fmt::format("set label {} {} at screen {:.5f},{:.5f} textcolor rgb \"#333333\"\n", i + 3,
                        gnuplot_quoted(caption[i]), x(16), y(44 + static_cast<double>(i) * line_height));
  text += fmt::format("set label 2 {} at screen {:.5f},{:.5f} textcolor rgb \"#666666\"\n",
                      gnuplot_quoted(frame.note), x(16), y(first_panel - 50));
  for (int i = 0; i < panels; ++i) {
    const int row = i / across, from = left + (i % across) * (panel_width + gap),
              top = first_panel + row * (panel_height + between);
    text += fmt::format(
        "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
        "set bmargin at screen {:.5f}\n",
        x(from), x(from + panel_width), y(top), y(top + panel_height));
    text += fmt::format("set title {} offset 0,-0.7\n", gnuplot_quoted(lines[i].row));
    text += i + across >= panels ? fmt::format("set xlabel {} offset 0,0.3\n", gnuplot_quoted(frame.x_title))
                                 : "unset xlabel\n";
    text += panel(lines, static_cast<std::size_t>(i));
    if (i == 0) text += "unset label\n";
  }
  return text + "unset multiplot\n";
}

}  // namespace trl::interpreter
