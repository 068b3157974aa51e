// Draws pictures with gnuplot, as SVG or PDF. Equal scripts give equal bytes.
#pragma once

#include <string>

namespace trl::interpreter {

/// The result of a script: a picture, or the reason why it couldn't be drawn, with a remedy.
struct Drawing {
  std::string picture, problem;
};

/// Runs gnuplot without the user's settings, in the C.UTF-8 locale, on a script that begins with
/// `svg_terminal`. The environment variable `TRL_GNUPLOT` may name another program than the gnuplot in PATH.
Drawing draw_with_gnuplot(const std::string& script);

/// Like `draw_with_gnuplot`, but draws a PDF in which each pixel is a point (1/72 inch). The PDF has no date,
/// so that equal scripts give equal bytes.
Drawing draw_pdf_with_gnuplot(const std::string& script);

/// The first lines of every script: size in pixels, sans-serif 12, white background, UTF-8, and no markup in
/// names. `name` becomes the picture's title, with _ for characters other than letters and digits.
std::string svg_terminal(const std::string& name, int width, int height);

/// A text as a string literal of gnuplot's language: quoted, on one line.
std::string gnuplot_quoted(const std::string& text);

}  // namespace trl::interpreter
