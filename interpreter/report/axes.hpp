// Axes with round ticks, and the panels of a picture that have them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/report/graphic.hpp"

namespace trl::interpreter {

struct Axis {
  double low = 0, high = 1;
  std::vector<std::pair<double, std::string>> ticks{};  ///< places with their texts
  std::string title{};
};

/// Returns an axis with at most six ticks at multiples of 1, 2 or 5 times a power of ten. With `whole`, the
/// axis is extended to begin and end at a tick; otherwise it goes exactly from `low` to `high`.
Axis axis_of_amounts(double low, double high, const std::string& title, bool whole = true);
/// An axis with at most seven whole numbers from `first` to `last`, and `margin` on both sides.
Axis axis_of_counts(int first, int last, double margin, const std::string& title);

/// Returns the room that an axis of the values from `low` to `high` leaves at each end: a tenth of their
/// distance. If all values are equal, the room is a tenth of the value, or 1 if it is 0, so that ticks are
/// round numbers.
double room_around(double low, double high);

/// A rectangle of a picture with a horizontal and a vertical axis.
class Panel {
 public:
  /// `left` and `top` are the corner of the area inside the axes; `width` and `height` are its size. All are
  /// in points.
  Panel(Graphic& graphic, double left, double top, double width, double height, Axis x, Axis y);

  double x(double value) const {
    return left_ + width_ * (value - across_.low) / (across_.high - across_.low);
  }
  double y(double value) const { return top_ + height_ * (down_.high - value) / (down_.high - down_.low); }
  Place at(double across, double up) const { return {x(across), y(up)}; }

  /// Draws both axes with ticks and numbers, and their titles unless these are empty. With `grid`, also draws
  /// lines at the vertical axis's ticks.
  void frame(bool grid) const;
  /// The horizontal axis alone.
  void baseline() const;
  /// A title above the panel.
  void title(const std::string& text) const;

 private:
  Graphic& graphic_;
  double left_, top_, width_, height_;
  Axis across_, down_;
};

/// Panels of one size beside and below each other: one or two in a paper's column, three on its page.
struct PanelGrid {
  /// The arguments are in points, except `shape`. `left` is the room for the vertical axis of the first panel
  /// of a row, `gap` the room before each other panel. `shape` is a panel's height divided by its width,
  /// `widest` its largest width. `between` is the room between rows of panels, `below` the room under the
  /// last row.
  PanelGrid(std::size_t count, double left, double gap, double shape, double widest, double between,
            double below);
  Graphic graphic() const { return {whole, above + height_of_rows()}; }
  Panel panel(Graphic& graphic, std::size_t number, Axis x, Axis y) const;
  bool begins_row(std::size_t number) const { return number % across == 0; }
  bool ends_column(std::size_t number) const { return number + across >= count; }

  std::size_t count, across;
  double width;  ///< of a panel

 private:
  static constexpr double above = 16;
  double height_of_rows() const;

  double whole, left, gap, height, between, below;
};

}  // namespace trl::interpreter
