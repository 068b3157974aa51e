#include "interpreter/report/gnuplot.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "interpreter/filter.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// The last non-empty line, which has the reason; before it gnuplot repeats the command.
std::string reason_in(const std::string& text) {
  const auto end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "it gave no reason";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, std::min<std::size_t>(end - begin, 200));
}

/// A picture's name with only the characters that gnuplot allows: letters, digits and _.
std::string plain(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// The SVG without the line that names gnuplot's version.
std::string without_version(std::string svg) {
  const auto begin = svg.find("<desc>"), end = svg.find("</desc>\n");
  if (begin != std::string::npos && end != std::string::npos) svg.erase(begin, end + 8 - begin);
  return svg;
}

/// The script with a terminal for PDF instead of that of `svg_terminal`.
std::string for_pdf(const std::string& script) {
  int width = 0, height = 0;
  if (std::sscanf(script.c_str(), "set terminal svg size %d,%d", &width, &height) != 2) return script;
  constexpr double points_an_inch = 72;
  return fmt::format(
             "set terminal pdfcairo size {:.4f}in,{:.4f}in noenhanced font \"sans-serif,12\" fontscale 0.75 "
             "background \"#ffffff\"",
             width / points_an_inch, height / points_an_inch) +
         script.substr(script.find('\n'));
}

/// The PDF with the first day of 1970 as its date, in as many bytes, since places in the file are counted.
std::string without_date(std::string pdf) {
  const std::string start = "/CreationDate (D:", date = "19700101000000";
  if (const auto at = pdf.find(start); at != std::string::npos)
    pdf.replace(at + start.size(), date.size(), date);
  return pdf;
}

/// Runs gnuplot on a script; its output has to contain `sign`.
Drawing drawn_with_gnuplot(const std::string& script, const std::string& sign) {
  const char* named = std::getenv("TRL_GNUPLOT");
  const std::string program = named && *named ? named : "gnuplot";
  // Runs without the user's settings (-d), locale and terminal.
  auto drawn = run_filter(program, {"-d"}, script, {"LC_ALL=C.UTF-8", "GNUTERM"});
  if (drawn.missing())
    return {"", "there is no " + program + " on this machine; install it with `apt-get install gnuplot-nox`"};
  if (drawn.status < 0) return {"", program + " can't be started: " + std::strerror(drawn.code)};
  if (drawn.status != 0 || drawn.out.find(sign) == std::string::npos)
    return {"", program + " failed: " + reason_in(drawn.err)};
  return {std::move(drawn.out), ""};
}

}  // namespace

Drawing draw_with_gnuplot(const std::string& script) {
  auto drawing = drawn_with_gnuplot(script, "</svg>");
  drawing.picture = without_version(std::move(drawing.picture));
  return drawing;
}

Drawing draw_pdf_with_gnuplot(const std::string& script) {
  auto drawing = drawn_with_gnuplot(for_pdf(script), "%%EOF");
  drawing.picture = without_date(std::move(drawing.picture));
  return drawing;
}

std::string svg_terminal(const std::string& name, int width, int height) {
  return fmt::format(
      "set terminal svg size {},{} dynamic noenhanced font \"sans-serif,12\" background \"#ffffff\" name {}\n"
      "set encoding utf8\n",
      width, height, gnuplot_quoted(plain(name)));
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : c == '\n' || c == '\r' ? " " : std::string(1, c);
  return quoted + "'";
}

}  // namespace trl::interpreter
