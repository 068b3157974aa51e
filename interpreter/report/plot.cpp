#include "interpreter/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "interpreter/error.hpp"
#include "interpreter/report/column.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string csv_quoted(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

/// What the axis shows, and of how many things a point is the mean.
struct Axis {
  const char* title;
  const char* counted;
  bool fraction;
};

Axis axis_of(const std::string& y) {
  if (y == "reward") return {"mean reward of the round's candidates", "candidates", true};
  if (y == "correct") return {"share of the round's candidates that are correct", "candidates", true};
  if (y == "purity") return {"share of the samples kept that the exam's protocol accepts", "samples", true};
  return {"loss at the end of the round's training", "samples", false};
}

/// "6", or "5 to 6" where points differ.
std::string counts_text(const std::vector<PlotPoint>& points) {
  const auto [least, most] = std::minmax_element(points.begin(), points.end(),
                                                 [](const auto& a, const auto& b) { return a.n < b.n; });
  if (least == points.end()) return "0";
  return least->n == most->n ? std::to_string(most->n) : fmt::format("{} to {}", least->n, most->n);
}

/// 1, 2 or 5 times a power of ten, so that four steps reach `top`.
double tick_step(double top) {
  const double power = std::pow(10, std::floor(std::log10(top / 4)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (4 * step * power >= top) return step * power;
  return 10 * power;
}

}  // namespace

Plot parse_plot(const std::string& name, const json& plot) {
  const auto text = [&](const char* field, const char* otherwise) {
    return plot.value(field, std::string(otherwise));
  };
  const Plot parsed{name, text("y", "reward")};
  const auto x = text("x", "round"), by = text("by", "cell");
  if (x != "round")
    throw UserError("plot " + name + ": x = " + x + " isn't drawn by this version", "Use x = round.");
  if (by != "cell" && by != "control")
    throw UserError("plot " + name + ": by = " + by + " isn't drawn by this version", "Use by = cell.");
  static const std::vector<std::string> known = {"reward", "loss", "correct", "purity"};
  if (std::find(known.begin(), known.end(), parsed.y) == known.end())
    throw UserError("plot " + name + ": y = " + parsed.y + " isn't drawn by this version",
                    "Use reward, loss, correct or purity.");
  return parsed;
}

std::vector<PlotPoint> plot_points(const Plot& plot, const Plan& plan, const Store& store) {
  std::vector<PlotPoint> points;
  for (const auto& row : plan.rows)
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        PlotPoint point{row.label, trace.seed, round.number, 0, 0};
        const json selected = store.stage(round.select).at("summary");
        point.n = selected.at("candidates");
        if (plot.y == "reward") {
          if (!selected.at("mean_reward").is_number()) continue;
          point.value = selected["mean_reward"];
        } else if (plot.y == "correct") {
          if (point.n == 0) continue;
          point.value = selected.at("correct").get<double>() / point.n;
        } else if (plot.y == "loss") {
          const json loss = store.stage(round.finetune).at("summary").value("loss_last", json());
          if (!loss.is_number()) continue;
          point.value = loss, point.n = selected.at("kept");
        } else {
          if (round.purity.empty()) continue;
          const auto verdicts = read_verdicts(store, plan, round.purity);
          if (verdicts.empty()) continue;
          point.n = static_cast<int>(verdicts.size());
          point.value =
              double(std::count_if(verdicts.begin(), verdicts.end(), [](auto& v) { return v.correct; })) /
              point.n;
        }
        points.push_back(point);
      }
  return points;
}

std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points) {
  std::string text = "row,seed,round," + plot.y + ",n\n";
  for (const auto& point : points)
    text += fmt::format("{},{},{},{:.12g},{}\n", csv_quoted(point.row), point.seed, point.round, point.value,
                        point.n);
  return text;
}

std::string as_svg(const Plot& plot, const std::vector<PlotPoint>& points, const std::string& experiment) {
  std::vector<std::string> order;
  std::map<std::string, std::map<int, std::pair<double, int>>> lines;
  int last = 1;
  double highest = 0;
  for (const auto& point : points) {
    if (!lines.contains(point.row)) order.push_back(point.row);
    auto& [sum, count] = lines[point.row][point.round];
    sum += point.value, ++count;
    last = std::max(last, point.round);
    highest = std::max(highest, point.value);
  }
  // Fractions are drawn on all of [0, 1]: plots of different runs can be laid side by side.
  const Axis axis = axis_of(plot.y);
  const double step = axis.fraction || highest <= 0 ? 0.25 : tick_step(highest), top = 4 * step;
  constexpr double left = 60, right = 380, up = 60, down = 280;
  const auto x = [&](int round) {
    return last == 1 ? (left + right) / 2 : left + (right - left) * (round - 1) / (last - 1);
  };
  const auto y = [&](double value) { return down - (down - up) * value / top; };
  static const char* colours[] = {"#1b6ca8", "#c8553d", "#2d8a4e", "#8e5ea2",
                                  "#b8860b", "#444444", "#17a2a2", "#d6336c"};

  const double height = std::max(350.0, up + 26 + 16.0 * order.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"{0}\" viewBox=\"0 0 720 {0}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"720\" height=\"{0}\" fill=\"white\"/>\n",
      height);
  text += fmt::format("<text x=\"{}\" y=\"20\" font-size=\"13\" font-weight=\"bold\">{}: {}</text>\n", left,
                      escaped(experiment), escaped(plot.name));
  text += fmt::format("<text x=\"{}\" y=\"38\">{} (n = {} {} a point)</text>\n", left, axis.title,
                      counts_text(points), axis.counted);
  text +=
      fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"#888\"/>\n", left, up, down, right);
  for (int tick = 0; tick <= 4; ++tick) {
    text += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#e4e4e4\"/>\n", left, y(tick * step), right);
    text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n", left - 6,
                        y(tick * step) + 4, tick * step);
  }
  for (int round = 1; round <= last; ++round)
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(round), down + 16,
                        round);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">round</text>\n", (left + right) / 2,
                      down + 34);
  if (plot.y == "reward")
    text += fmt::format(
        "<text x=\"{}\" y=\"{}\" fill=\"#666\">speedups in it are modelled for an H200, not "
        "measured</text>\n",
        left, down + 54);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const char* colour = colours[i % std::size(colours)];
    std::string path;
    for (const auto& [round, mean] : lines[order[i]])
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(round), y(mean.first / mean.second));
    text += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n", path, colour,
                        i >= std::size(colours) ? " stroke-dasharray=\"4 3\"" : "");
    // Later circles are smaller, so that those of equal values are all seen.
    const double radius = std::min(8.0, 2.5 + 0.8 * double(order.size() - 1 - i));
    for (const auto& [round, mean] : lines[order[i]])
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", x(round),
                          y(mean.first / mean.second), radius, colour);
    text += fmt::format("<text x=\"400\" y=\"{}\" fill=\"{}\">{}</text>\n", up + 10 + 16 * i, colour,
                        escaped(order[i]));
  }
  return text + "</svg>\n";
}

}  // namespace trl::interpreter
