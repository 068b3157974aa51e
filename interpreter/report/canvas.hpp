// Parts of gnuplot scripts that all pictures with a single panel share.
#pragma once

#include <string>

namespace trl::interpreter {

/// The canvas of a picture. Coordinates are pixels from the upper left corner.
struct Canvas {
  int width = 0, height = 0;
  /// A point in gnuplot's language, such as "screen 0.1,0.9", for labels.
  std::string screen(double x, double y) const;
  /// The gnuplot commands that set the panel's frame.
  std::string margins(double left, double right, double top, double bottom) const;
  /// The gnuplot commands for a title, and for a caption below it that describes the picture.
  std::string heading(const std::string& title, const std::string& caption) const;
};

/// The gnuplot commands for grey axes on the left and at the bottom, without a legend.
extern const char* const usual_axes;

/// Returns the room that an axis from `low` to `high` has beyond either end: a tenth of its length. If all is
/// one value, it is a tenth of that value, or 1 for 0, so that ticks are round numbers.
double room_around(double low, double high);

}  // namespace trl::interpreter
