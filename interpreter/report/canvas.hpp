// The common parts of pictures of one panel, for gnuplot.
#pragma once

#include <string>

namespace trl::interpreter {

/// The canvas of a picture, whose places are pixels from the upper left corner.
struct Canvas {
  int width = 0, height = 0;
  /// "screen 0.1,0.9": a place for labels.
  std::string screen(double x, double y) const;
  /// The frame of the panel.
  std::string margins(double left, double right, double top, double bottom) const;
  /// A title, and a caption below it that describes the picture.
  std::string heading(const std::string& title, const std::string& caption) const;
};

/// Quiet axes on the left and below, without a key.
extern const char* const usual_axes;

}  // namespace trl::interpreter
