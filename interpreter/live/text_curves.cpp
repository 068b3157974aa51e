#include "interpreter/live/text_curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/support/counted.hpp"
#include "interpreter/report/graphic.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t label_width = 20, curve_width = 28, most_rows = 6;

std::string value_text(double value, const contract::Measure& measure) {
  return measure.unit == "share" ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.3g}", value);
}

/// Returns a curve as text: its axis is divided into `curve_width` parts, and each part shows the nearest
/// point by a character of one of eight heights.
std::string in_characters(const Curve::Band& band, double first, double last, double low, double high) {
  static constexpr std::array<const char*, 8> heights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double part = (last - first) / static_cast<double>(curve_width);
  std::string text;
  std::size_t point = 0;
  for (std::size_t cell = 0; cell < curve_width; ++cell) {
    const double middle = first + part * (static_cast<double>(cell) + 0.5);
    while (point + 1 < band.at.size() && band.at[point + 1] - middle < middle - band.at[point]) ++point;
    if (middle < band.at.front() - part || middle > band.at.back() + part) {
      text += ' ';
      continue;
    }
    const double share = high > low ? (band.mean[point] - low) / (high - low) : 0.5;
    text += heights[static_cast<std::size_t>(std::clamp(std::floor(share * 8), 0.0, 7.0))];
  }
  return text;
}

/// Returns a band with a single position as text. It has no course, so its mean is shown between the lowest
/// and the highest seed, on the scale of all rows.
std::string place_in_characters(const Curve::Band& band, double low, double high) {
  const auto cell = [&](double value) {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    return static_cast<std::size_t>(
        std::clamp(std::round(share * (curve_width - 1)), 0.0, curve_width - 1.0));
  };
  std::string text;
  for (std::size_t i = 0; i < curve_width; ++i)
    text += i == cell(band.mean[0]) ? "●" : i >= cell(band.low[0]) && i <= cell(band.high[0]) ? "─" : " ";
  return text;
}

std::string label_of(const LiveSeries::Line& line) {
  return line.rows.size() == 1 ? line.rows.front()
                               : fmt::format("{} (+{})", line.rows.front(), line.rows.size() - 1);
}

std::string series_text(const LiveSeries& series, bool unicode) {
  double first = series.lines.front().band.at.front(), last = first;
  double low = series.lines.front().band.mean.front(), high = low;
  std::vector<std::string> labels;
  for (const auto& line : series.lines) {
    const auto& band = line.band;
    first = std::min(first, band.at.front()), last = std::max(last, band.at.back());
    low = std::min(low, *std::min_element(band.mean.begin(), band.mean.end()));
    high = std::max(high, *std::max_element(band.mean.begin(), band.mean.end()));
    if (labels.size() < most_rows) labels.push_back(label_of(line));
  }
  const bool single = first == last;
  if (single)
    for (const auto& line : series.lines)
      low = std::min(low, line.band.low[0]), high = std::max(high, line.band.high[0]);
  labels = shortened(labels, label_width);
  // Shares are written as percentages.
  const auto title =
      series.measure->unit == "share" ? std::string(series.measure->curve) : series.measure->heading();
  auto text = wrapped(fmt::format("{} ({}), {} {:.0f}{}", title, fmt::join(series.places, ", "),
                                  series.by_round ? "round" : "step", first,
                                  single ? "" : fmt::format(" to {:.0f}", last)),
                      2) +
              "\n";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& band = series.lines[i].band;
    auto line = "  " + padded(labels[i], label_width) + " ";
    line += !unicode
                ? padded(single ? "" : value_text(band.mean.front(), *series.measure) + " ->", curve_width)
            : single ? place_in_characters(band, low, high)
                     : in_characters(band, first, last, low, high);
    line += "  " + value_text(band.mean.back(), *series.measure);
    if (band.curves.back() > 1)
      line += fmt::format("  {} to {}", value_text(band.low.back(), *series.measure),
                          value_text(band.high.back(), *series.measure));
    text += line + "\n";
  }
  if (series.lines.size() > most_rows)
    text += fmt::format("  and {}\n", counted(series.lines.size() - most_rows, "more row"));
  return text;
}

}  // namespace

std::string curves_text(const std::vector<LiveSeries>& series, bool unicode) {
  std::string text;
  for (const auto& one : series) text += series_text(one, unicode);
  return text;
}

}  // namespace trl::interpreter
