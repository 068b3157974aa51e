// Draws pictures with gnuplot, as SVG or PDF with the same bytes for the same script.
#pragma once

#include <string>

namespace trl::interpreter {

/// The result of a script: a picture, or why there is none and how to correct that.
struct Drawing {
  std::string picture, problem;
};

/// Runs gnuplot without the user's settings, in the C.UTF-8 locale, on a script whose terminal is
/// `svg_terminal`. `TRL_GNUPLOT` names another program than PATH's.
Drawing draw_with_gnuplot(const std::string& script);

/// The same picture as PDF, a point for each pixel. It has no date, so that its bytes are the same each time.
Drawing draw_pdf_with_gnuplot(const std::string& script);

/// The first lines of every script: size in pixels, sans-serif 12, white background, UTF-8, and no markup in
/// names. `name` becomes the picture's title, with _ for characters other than letters and digits.
std::string svg_terminal(const std::string& name, int width, int height);

/// A text as a string of gnuplot's language: quoted, on one line.
std::string gnuplot_quoted(const std::string& text);

}  // namespace trl::interpreter
