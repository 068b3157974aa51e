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

/// An axis with at most six ticks at multiples of 1, 2 or 5 times a power of ten. It begins and ends at a
/// tick if `whole` is set, and else where it is told.
Axis axis_of_amounts(double low, double high, const std::string& title, bool whole = true);
/// An axis with at most seven whole numbers from `first` to `last`, and `margin` on both sides.
Axis axis_of_counts(int first, int last, double margin, const std::string& title);

/// Returns the room that an axis from `low` to `high` has beyond either end: a tenth of its length. If all is
/// one value, it is a tenth of that value, or 1 for 0, so that ticks are round numbers.
double room_around(double low, double high);

/// A rectangle of a picture with a horizontal and a vertical axis.
class Panel {
 public:
  /// `left` and `top` are the corner within the axes, in points, as are width and height.
  Panel(Graphic& graphic, double left, double top, double width, double height, Axis x, Axis y);

  double x(double value) const {
    return left_ + width_ * (value - across_.low) / (across_.high - across_.low);
  }
  double y(double value) const { return top_ + height_ * (down_.high - value) / (down_.high - down_.low); }
  Place at(double across, double up) const { return {x(across), y(up)}; }

  /// Draws both axes with ticks and numbers and, if `grid` is set, lines at the vertical axis's ticks. The
  /// titles of axes are drawn where they are given.
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
  /// `left` is the room for the axis of the first panel of a row and `gap` the room for each other panel's;
  /// `shape` is a panel's height over its width, `widest` its largest width; `between` and `below` are the
  /// rooms under a panel, in points.
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
