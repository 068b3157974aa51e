// Pictures by gnuplot, as SVG with the same bytes for the same script.
#pragma once

#include <string>

namespace trl::interpreter {

/// What came of a script: an SVG, or why there is none and how to mend it.
struct Drawing {
  std::string svg, problem;
};

/// Runs gnuplot without anybody's settings, in the C.UTF-8 locale, on a script whose terminal is
/// `svg_terminal`. `TRL_GNUPLOT` names another program than the one on PATH.
Drawing draw_with_gnuplot(const std::string& script);

/// The first lines of every script: size in pixels, sans-serif 12, white background, UTF-8, names taken as
/// they are. `name` becomes the
/// picture's title, other characters than letters and digits as _.
std::string svg_terminal(const std::string& name, int width, int height);

/// A text as gnuplot's own string: quoted, on one line.
std::string gnuplot_quoted(const std::string& text);

}  // namespace trl::interpreter
