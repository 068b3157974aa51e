#include "interpreter/report/effect_pictures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/statistics/factorial.hpp"
#include "interpreter/report/canvas.hpp"
#include "interpreter/report/findings.hpp"
#include "interpreter/report/gnuplot.hpp"
#include "interpreter/report/picture.hpp"

namespace trl::interpreter {
namespace {

/// Fewer effects form no line.
constexpr std::size_t fewest_effects = 7;

/// A name in a data block, where strings stand between double quotes.
std::string in_data(std::string name) {
  std::replace(name.begin(), name.end(), '"', '\'');
  return '"' + name + '"';
}

/// A value in the axis' unit: points for shares, the ratio for factors.
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
};

}  // namespace

std::string forest_script(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
                          const Column& column, std::size_t column_number, const std::string& title) {
  std::vector<Line> lines;
  for (const auto& effect : effects)
    if (const auto& difference = effect.differences[column_number])
      lines.push_back({fmt::format("{} ({})", effect.comparison.name, declared_text(effect)), &*difference,
                       !effect.declared.empty(), true});
  for (const auto& interaction : interactions)
    if (interaction.difference) lines.push_back({interaction.name, &*interaction.difference, false, false});
  if (lines.empty()) return {};
  std::size_t longest = 0;
  for (const auto& line : lines) longest = std::max(longest, line.name.size());
  constexpr int above = 66, line_height = 26, below = 54, right = 30, panel = 420;
  const int left = 24 + static_cast<int>(7.2 * static_cast<double>(longest));
  const Canvas canvas{left + panel + right, above + below + line_height * static_cast<int>(lines.size())};
  std::string text = svg_terminal("effects", canvas.width, canvas.height);
  double lowest = 0, highest = 0;
  const bool ratio = column.unit == Column::Unit::factor;
  if (ratio) lowest = highest = 1;
  text += "$effects << END\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& difference = *lines[i].difference;
    const double value = on_axis(column, difference.value);
    const auto interval = difference.interval.value_or(Interval{difference.value, difference.value});
    const double low = on_axis(column, interval.low), high = on_axis(column, interval.high);
    const double least = difference.detectable
                             ? on_axis(column, ratio ? *difference.detectable - 1 : *difference.detectable)
                             : 0;
    lowest = std::min({lowest, low, (ratio ? 1 : 0) - least});
    highest = std::max({highest, high, (ratio ? 1 : 0) + least});
    text += fmt::format("{:.9g} {} {:.9g} {:.9g} {:.9g} {}\n", value, i, low, high, least,
                        lines[i].declared ? 1
                        : lines[i].effect ? 2
                                          : 3);
  }
  text += std::string("END\n") + usual_axes + "set border 1\n";
  text += canvas.heading(
      title, "95 % intervals; filled: declared; grey: smaller than the study finds with 80 % power");
  text += canvas.margins(left, left + panel, above, canvas.height - below);
  text += fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{}:-0.5]\n",
                      lowest - 0.6 * room_around(lowest, highest),
                      highest + 0.6 * room_around(lowest, highest), static_cast<double>(lines.size()) - 0.5);
  text += "set ytics scale 0 (";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("{}{} {}", i ? ", " : "", gnuplot_quoted(lines[i].name), i);
  const double none = ratio ? 1 : 0;
  text += fmt::format(
      ")\nset xlabel {}\nset arrow 1 from {},graph 0 to {},graph 1 nohead front lc rgb \"#555555\" lw 1\n",
      gnuplot_quoted(axis_title(column)), none, none);
  return text +
         fmt::format(
             "set style fill solid 1 noborder\n"
             "plot $effects using ({0}):2:({0}-$5):({0}+$5):($2-0.36):($2+0.36) with boxxyerror fc rgb "
             "\"#ececec\", "
             "$effects using 3:2:($4-$3):(0) with vectors nohead lw 2 lc rgb \"{1}\", "
             "$effects using ($6==1?$1:1/0):2 with points pt 7 ps 0.9 lc rgb \"{1}\", "
             "$effects using ($6==1?1/0:$1):2 with points pt 6 ps 0.9 lw 1.5 lc rgb \"{1}\"\n",
             none, cell_colour);
}

std::string half_normal_script(const std::vector<std::pair<std::string, double>>& effects,
                               const Column& column, const std::string& title) {
  if (effects.size() < fewest_effects) return {};
  std::vector<double> values;
  for (const auto& [name, value] : effects) values.push_back(on_axis(column, value));
  const auto margins = statistics::lenth(values);
  const auto points = statistics::half_normal_plot(values);
  const Canvas canvas{620, 420};
  std::string text = svg_terminal("half_normal", canvas.width, canvas.height);
  text += "$effects << END\n";
  for (const auto& point : points)
    text += fmt::format("{:.9g} {:.9g} {}\n", point.quantile, point.magnitude,
                        in_data(effects[point.effect].first));
  text += std::string("END\n") + usual_axes;
  text += canvas.heading(
      title, "half-normal plot of all effects: those on the dotted line through 0 look like noise");
  text += canvas.margins(70, canvas.width - 130, 70, canvas.height - 60);
  const double right = points.back().quantile * 1.08,
               top = std::max(points.back().magnitude, margins->margin) +
                     room_around(0, std::max(points.back().magnitude, margins->margin));
  text += fmt::format("set xrange [0:{:.9g}]\nset yrange [0:{:.9g}]\n", right, top);
  text += fmt::format("set xlabel \"half-normal quantile\"\nset ylabel {} offset 1,0\n",
                      gnuplot_quoted("size of the effect on " + axis_title(column)));
  text += fmt::format(
      "set arrow 1 from graph 0,first {0:.9g} to graph 1,first {0:.9g} nohead lc rgb \"#888888\" dt 2\n"
      "set label 3 \"Lenth's margin\" at graph 1.01,first {0:.9g} textcolor rgb \"#555555\"\n",
      margins->margin);
  return text +
         fmt::format(
             "plot {:.9g}*x with lines lc rgb \"#888888\" dt 3, $effects using 1:2 with points pt 7 ps 0.8 "
             "lc rgb \"{}\", $effects using 1:2:3 with labels right offset -0.8,0.4 font "
             "\"sans-serif,11\"\n",
             margins->pseudo_standard_error, cell_colour);
}

std::string interaction_script(const std::vector<InteractionPlot>& plots, const Column& column,
                               const std::string& title) {
  if (plots.empty()) return {};
  constexpr int left = 62, panel = 150, gap = 80, across = 3, height = 120, above = 104, between = 78,
                below = 50;
  const int count = static_cast<int>(plots.size()), rows = (count + across - 1) / across;
  const Canvas canvas{left + across * panel + (across - 1) * gap + 70,
                      above + rows * height + (rows - 1) * between + below};
  std::string text = svg_terminal("interactions", canvas.width, canvas.height);
  double lowest = 1e300, highest = -1e300;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("$pair{} << END\n", i);
    for (int level = 0; level < 2; ++level)
      text += fmt::format("{} {:.9g} {:.9g}\n", level, on_axis(column, plots[i].means[level][0]),
                          on_axis(column, plots[i].means[level][1]));
    text += "END\n";
    for (const auto& line : plots[i].means)
      for (const double mean : line)
        lowest = std::min(lowest, on_axis(column, mean)), highest = std::max(highest, on_axis(column, mean));
  }
  const double room = room_around(lowest, highest);
  text += std::string("set multiplot\n") + usual_axes + "set grid ytics lt 1 lc rgb \"#e6e6e6\"\n";
  text += fmt::format("set xrange [-0.3:1.3]\nset yrange [{:.9g}:{:.9g}]\nset xtics (\"off\" 0, \"on\" 1)\n",
                      lowest - room, highest + room);
  text += canvas.heading(
      title, fmt::format("means of the cells, {}; solid: with the second, dashed: without; parallel lines: "
                         "they act by themselves",
                         column.unit == Column::Unit::percent ? column.title + " in %" : column.title));
  for (int i = 0; i < count; ++i) {
    const int x = left + (i % across) * (panel + gap), y = above + (i / across) * (height + between);
    text += canvas.margins(x, x + panel, y, y + height);
    text +=
        fmt::format("set title {} offset 0,-0.6\nset xlabel {} offset 0,0.3\n",
                    gnuplot_quoted(plots[i].first + " x " + plots[i].second), gnuplot_quoted(plots[i].first));
    text += fmt::format(
        "plot $pair{0} using 1:3 with linespoints lw 2 pt 7 ps 0.6 lc rgb \"{1}\", $pair{0} using 1:2 with "
        "linespoints "
        "lw 2 dt 2 pt 6 ps 0.6 lc rgb \"{2}\"\n",
        i, cell_colour, control_colour);
    if (i == 0) text += "unset label 1\nunset label 2\n";
  }
  return text + "unset multiplot\n";
}

}  // namespace trl::interpreter
