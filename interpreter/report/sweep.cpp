#include "interpreter/report/sweep.hpp"

#include <algorithm>

#include "base/statistics/best.hpp"
#include "interpreter/report/axes.hpp"
#include "interpreter/report/table.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t fewest_rows = 3;

/// A row's figure on `dev` after its last round.
Figure dev_figure(const Column& column, const Row& row, const Evidence& evidence) {
  std::vector<Part> parts;
  for (const auto& trace : row.traces)
    if (!trace.dev.empty())
      add_verdicts(column, row.suite, trace.seed,
                   evidence.ended(trace.dev.back().verify, trace.dev.back().later), parts);
  return level_of(parts, column.mean, tasks_of(column));
}

}  // namespace

std::optional<Sweep> sweep_of(const Column& column, const Inference& inference) {
  const auto& plan = inference.evidence().plan();
  const bool settings = std::any_of(plan.factors.begin(), plan.factors.end(),
                                    [](const Factor& factor) { return !factor.extension; });
  if (!settings || column.on != MeasuredOn::exam_answers) return std::nullopt;
  std::vector<const Row*> rows;
  std::vector<Figure> exams, devs;
  for (const auto& row : plan.rows) {
    if (row.kind != Row::Kind::cell) continue;
    rows.push_back(&row);
    exams.push_back(inference.figure(column, row));
    devs.push_back(dev_figure(column, row, inference.evidence()));
    if (!exams.back().value) return std::nullopt;
  }
  if (rows.size() < fewest_rows) return std::nullopt;
  Sweep sweep;
  sweep.on_dev = std::all_of(devs.begin(), devs.end(), [](const Figure& figure) { return figure.value; });
  std::vector<double> chosen_by, values;
  double seconds = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values.push_back(*exams[i].value);
    chosen_by.push_back(sweep.on_dev ? *devs[i].value : values.back());
    for (const auto& trace : rows[i]->traces)
      seconds += amount_of(column_of(ColumnName::cost), trace.training, inference.evidence());
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(chosen_by.begin(), chosen_by.end()) - chosen_by.begin());
  sweep.chosen = rows[best]->label, sweep.chosen_by = chosen_by[best], sweep.exam = exams[best];
  sweep.expected = statistics::expected_best(chosen_by, values);
  if (seconds > 0) sweep.seconds = seconds / static_cast<double>(rows.size());
  return sweep;
}

std::string sweep_sentence(const Sweep& sweep, const Column& column) {
  const std::size_t rows = sweep.expected.size();
  auto text =
      sweep.on_dev
          ? fmt::format("Of {} rows, dev chooses `{}` ({} there); its exam, {}: {}.", rows, sweep.chosen,
                        value_text(column, sweep.chosen_by), column.title, figure_text(column, sweep.exam))
          : fmt::format(
                "`{}` is the best of {} rows on the exam, {}: {}. The exam chose it, so that "
                "its figure is too high.",
                sweep.chosen, rows, column.title, figure_text(column, sweep.exam));
  std::string counts, values;
  for (std::size_t k = 1; k < rows; k *= 2) {
    counts += fmt::format("{}, ", k);
    values += value_text(column, sweep.expected[k - 1]) + ", ";
  }
  return text + fmt::format(" Expected of the best of {}{} rows drawn at random: {}{}.", counts, rows, values,
                            value_text(column, sweep.expected.back()));
}

std::string sweep_csv(const Sweep& sweep) {
  std::string text = "rows,seconds,expected\n";
  for (std::size_t k = 1; k <= sweep.expected.size(); ++k)
    text += fmt::format("{},{},{:.12g}\n", k,
                        sweep.seconds ? fmt::format("{:.12g}", *sweep.seconds * static_cast<double>(k)) : "",
                        sweep.expected[k - 1]);
  return text;
}

Picture sweep_picture(const Sweep& sweep, const Column& column, const std::string& name) {
  const double scale = column.unit == Column::Unit::percent ? 100 : 1;
  double low = 1e300, high = -1e300;
  for (const double value : sweep.expected)
    low = std::min(low, scale * value), high = std::max(high, scale * value);
  const double room = room_around(low, high);
  const int rows = static_cast<int>(sweep.expected.size());
  Graphic graphic(narrow_picture, 150);
  const Panel panel(
      graphic, 42, 8, narrow_picture - 50, 112,
      axis_of_counts(1, rows, 0.5,
                     sweep.seconds ? fmt::format("rows tried, of {:.3g} s of training each", *sweep.seconds)
                                   : "rows tried"),
      axis_of_amounts(low - room, high + room, "expected " + column.title + (scale == 100 ? ", %" : ""),
                      false));
  panel.frame(true);
  std::vector<Place> curve;
  for (int k = 1; k <= rows; ++k)
    curve.push_back(panel.at(k, scale * sweep.expected[static_cast<std::size_t>(k - 1)]));
  graphic.line(curve, {cell_colour, 1.2});
  for (const Place place : curve) graphic.dot(place, 1.5, cell_colour);
  return {name,
          fmt::format("Expected {} of the row that is the best {} among so many rows, drawn at random.",
                      column.title, sweep.on_dev ? "on dev" : "on this exam"),
          std::move(graphic)};
}

}  // namespace trl::interpreter
