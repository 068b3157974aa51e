#include "interpreter/report/axes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr double tick_length = 2.5;

/// Returns 1, 2 or 5 times a power of ten such that at most five steps cover `length`.
double tick_step(double length) {
  if (length <= 0) return 0.25;
  const double power = std::pow(10, std::floor(std::log10(length / 5)));
  for (const double step : {1.0, 2.0, 5.0})
    if (5 * step * power >= length * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/// Returns "750", "1.5k", "20k", "3M", with as many decimals as the steps between ticks need.
std::string tick_text(double value, double step) {
  const double size = std::max(std::abs(value), step);
  const auto [unit, letter] = size >= 1e6   ? std::pair(1e6, "M")
                              : size >= 1e4 ? std::pair(1e3, "k")
                                            : std::pair(1.0, "");
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)));
  return fmt::format("{:.{}f}{}", value / unit == 0 ? 0.0 : value / unit, decimals, value == 0 ? "" : letter);
}

}  // namespace

Axis axis_of_amounts(double low, double high, const std::string& title, bool whole) {
  const double step = tick_step(high - low);
  Axis axis{low, high, {}, title};
  if (whole)
    axis.low = step * std::floor(low / step + 1e-9), axis.high = step * std::ceil(high / step - 1e-9);
  if (axis.high <= axis.low) axis.high = axis.low + step;
  // The ticks are multiples of the step, not sums, so that 0 is exact.
  for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high + 1e-9 * step; ++i)
    axis.ticks.emplace_back(i * step, tick_text(i * step, step));
  return axis;
}

Axis axis_of_counts(int first, int last, double margin, const std::string& title) {
  Axis axis{first - margin, last + margin, {}, title};
  for (int i = first; i <= last; i += std::max(1, (last + 5) / 6))
    axis.ticks.emplace_back(i, std::to_string(i));
  return axis;
}

double room_around(double low, double high) {
  constexpr double rounding = 1e-9;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low > rounding * largest && high > low) return 0.1 * (high - low);
  return largest > 0 ? 0.1 * largest : 1;
}

Panel::Panel(Graphic& graphic, double left, double top, double width, double height, Axis x, Axis y)
    : graphic_(graphic),
      left_(left),
      top_(top),
      width_(width),
      height_(height),
      across_(std::move(x)),
      down_(std::move(y)) {}

void Panel::frame(bool grid) const {
  double widest = 0;
  for (const auto& [value, text] : down_.ticks) {
    if (grid) graphic_.line({{left_, y(value)}, {left_ + width_, y(value)}}, {grid_colour, 0.5});
    graphic_.line({{left_ - tick_length, y(value)}, {left_, y(value)}}, {rule_colour, 0.5});
    graphic_.text({left_ - tick_length - 2, y(value) + 0.35 * letter_size}, text,
                  {.anchor = Anchor::end, .colour = soft_ink});
    widest = std::max(widest, width_of_text(text));
  }
  graphic_.line({{left_, top_}, {left_, top_ + height_}}, {rule_colour, 0.6});
  if (!down_.title.empty())
    graphic_.text({left_ - tick_length - widest - 7, top_ + height_ / 2}, down_.title,
                  {.anchor = Anchor::middle, .upright = true});
  baseline();
}

void Panel::baseline() const {
  const double bottom = top_ + height_;
  graphic_.line({{left_, bottom}, {left_ + width_, bottom}}, {rule_colour, 0.6});
  for (const auto& [value, text] : across_.ticks) {
    graphic_.line({{x(value), bottom}, {x(value), bottom + tick_length}}, {rule_colour, 0.5});
    graphic_.text({x(value), bottom + tick_length + letter_size + 0.5}, text,
                  {.anchor = Anchor::middle, .colour = soft_ink});
  }
  if (!across_.title.empty())
    graphic_.text({left_ + width_ / 2, bottom + tick_length + 2.3 * letter_size + 1}, across_.title,
                  {.anchor = Anchor::middle});
}

void Panel::title(const std::string& text) const {
  graphic_.text({left_ + width_ / 2, top_ - 5}, text, {.anchor = Anchor::middle, .strong = true});
}

PanelGrid::PanelGrid(std::size_t panels, double room_left, double room_between_columns, double shape,
                     double widest, double room_between_rows, double room_below)
    : count(panels),
      across(std::clamp<std::size_t>(panels, 1, 3)),
      whole(across == 3 ? wide_picture : narrow_picture),
      left(room_left),
      gap(room_between_columns),
      between(room_between_rows),
      below(room_below) {
  const auto columns = static_cast<double>(across);
  width = std::min(widest, (whole - left - 8 - (columns - 1) * gap) / columns);
  height = shape * width;
}

double PanelGrid::height_of_rows() const {
  const auto rows = static_cast<double>(std::max<std::size_t>(1, (count + across - 1) / across));
  return rows * height + (rows - 1) * between + below;
}

Panel PanelGrid::panel(Graphic& graphic, std::size_t number, Axis x, Axis y) const {
  const auto column = static_cast<double>(number % across), row = static_cast<double>(number / across);
  return {graphic,
          left + column * (width + gap),
          above + row * (height + between),
          width,
          height,
          std::move(x),
          std::move(y)};
}

}  // namespace trl::interpreter
